/** The `Link` to the page after the one that was asked for at an address; `next` is the token of that page. */
export function nextLink(address: string, next: string): string {
  const url = new URL(address)
  url.searchParams.delete('offset')
  // A key does not belong into an address that is kept.
  url.searchParams.delete('key')
  url.searchParams.set('next', next)
  return `<${url.href}>; rel="next"`
}
