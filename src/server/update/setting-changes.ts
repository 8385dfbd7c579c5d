/** How a setting of this version differs from that of the version before. */
export interface SettingChange {
  readonly name: string;
  readonly change: 'new' | 'gone' | 'default';
  /** The defaults as text; null: unset, or there is no such setting. */
  readonly from: string | null;
  readonly to: string | null;
}

type Defaults = Readonly<Record<string, string | null>>;

/** By name. What was renamed is gone under one name and new under another. */
export function settingChanges(before: Defaults, now: Defaults): readonly SettingChange[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].sort().flatMap((name): SettingChange[] => {
    const [from, to] = [before[name] ?? null, now[name] ?? null];
    if (!Object.hasOwn(before, name)) return [{ name, change: 'new', from, to }];
    if (!Object.hasOwn(now, name)) return [{ name, change: 'gone', from, to }];
    return from === to ? [] : [{ name, change: 'default', from, to }];
  });
}
