const [OLDEST_MAJOR, OLDEST_MINOR] = [20, 19];

/** @param version of Node, such as `20.19.0`. @returns one line for the operator; undefined: it is new enough */
export function findNodeProblem(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major > OLDEST_MAJOR || (major === OLDEST_MAJOR && minor >= OLDEST_MINOR)) return undefined;
  return `Node.js ${OLDEST_MAJOR}.${OLDEST_MINOR} or newer is needed; this is ${version}`;
}
