const most = 50
const maxLength = 4096

/** Cookies of one request and its redirects. Sent only to the origin that set them. */
export class Cookies {
  readonly #byOrigin = new Map<string, Map<string, string>>()

  /** Stores the cookies of a response. */
  store(origin: string, headers: Headers): void {
    const cookies = this.#byOrigin.get(origin) ?? new Map<string, string>()
    this.#byOrigin.set(origin, cookies)
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^\s*([^=;\s]+)\s*=([^;]*)/.exec(line) ?? []
      if (name === '' || line.length > maxLength) continue
      if (/;\s*max-age\s*=\s*(0|-)/i.test(line)) cookies.delete(name)
      else if (cookies.size < most) cookies.set(name, value.trim())
    }
  }

  /** The header for an origin; configured cookies stay unless a response has replaced them. Undefined: no cookie. */
  header(origin: string, text: string | undefined): string | undefined {
    const cookies = this.#byOrigin.get(origin) ?? new Map<string, string>()
    const own = (text ?? '').split(';').map((part) => part.trim())
    const rest = own.filter((part) => part !== '' && !cookies.has(part.split('=')[0] ?? ''))
    const all = [...rest, ...[...cookies].map(([name, value]) => `${name}=${value}`)]
    return all.length ? all.join('; ') : undefined
  }
}
