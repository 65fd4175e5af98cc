/** The oldest Node that the programs run on. */
const OLDEST = 24;

/**
 * Says on stderr, and by the exit code, if this Node is too old. Nothing is imported here, since an older Node may be unable to load it.
 *
 * @param name of the program
 */
export function refuseOldNode(name: string): boolean {
  const { node } = process.versions;
  const isOld = Number(node.split('.')[0]) < OLDEST;
  if (isOld) {
    process.stderr.write(`${name} needs Node ${OLDEST} or newer; this is Node ${node}.\n`);
    process.exitCode = 1;
  }
  return isOld;
}
