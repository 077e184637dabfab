/** A part of a URL without its percent encoding (RFC 3986, section 2.1), read as UTF-8; null where it is not well-formed. */
export function decodePercents(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
