/** Resolves when the function that `begin` is given is called, or after so many milliseconds. */
export function untilTimeout(begin: (resolve: () => void) => void, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    begin(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
