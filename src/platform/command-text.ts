/**
 * A command as the operator types it: `ledgerline NAME ...` where the package is installed, else the script of the
 * checkout.
 * @param isInstalled by default as the build says: that of a package has `LEDGERLINE_INSTALLED` in it
 */
export function commandText(command: string, isInstalled = process.env.LEDGERLINE_INSTALLED !== undefined): string {
  const [name = '', ...rest] = command.split(' ');
  if (isInstalled) return `ledgerline ${command}`;
  return rest.length === 0 ? `npm run -s ${name}` : `npm run -s ${name} -- ${rest.join(' ')}`;
}
