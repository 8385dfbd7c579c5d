/** A side where there is little room: its abbreviation, a player's last name, else its name. */
export function shortName({
  role,
  name,
  abbreviation,
}: {
  readonly role: string;
  readonly name: string;
  readonly abbreviation: string | null;
}): string {
  if (abbreviation !== null) return abbreviation;
  return role.startsWith('player') ? name.slice(name.lastIndexOf(' ') + 1) : name;
}
