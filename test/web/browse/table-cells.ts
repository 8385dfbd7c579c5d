/** The texts of all cells of a table in a page, row by row, without the head. */
export const cellsOf = (page: string, name: string): string[][] => {
  const table = page.split(`aria-label="${name}"`)[1]!.split('</table>')[0]!;
  return table
    .split('<tr>')
    .slice(2)
    .map((row) =>
      row
        .split(/<t[hd][^>]*>/)
        .slice(1)
        .map((cell) => cell.replace(/<[^>]+>/g, '').trim()),
    );
};
