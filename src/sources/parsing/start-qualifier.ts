/**
 * The `starts_at_qualifier` of a schedule. An absent one stays as an earlier message had it, so a start that was a
 * placeholder and is set now must be told as `exact`.
 * @param isSet whether the source says that the start is set; undefined: it says nothing
 */
export function startQualifier(isSet: boolean | undefined): 'exact' | 'tbd' | undefined {
  if (isSet === undefined) return undefined;
  return isSet ? 'exact' : 'tbd';
}
