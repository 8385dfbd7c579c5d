/** The public address contains the port, which is known only once the server listens. After that it does not change. */
export function cacheByUrl<T>(make: (url: string) => T): (url: string) => T {
  let last: { readonly url: string; readonly value: T } | undefined;
  return (url) => {
    if (last?.url !== url) last = { url, value: make(url) };
    return last.value;
  };
}
