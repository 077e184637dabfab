/** The `Link` header of the next page of a URL; `next` is the token of that page. */
export function buildNextLink(address: string, next: string): string {
  const url = new URL(address)
  url.searchParams.delete('offset')
  // Keys must not occur in URLs that may be stored.
  url.searchParams.delete('key')
  url.searchParams.set('next', next)
  return `<${url.href}>; rel="next"`
}
