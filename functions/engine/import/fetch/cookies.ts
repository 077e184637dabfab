const most = 50
const maxLength = 4096

/** Cookies of one request and its redirects. They go back to the origin that set them and nowhere else. */
export class Cookies {
  readonly #byOrigin = new Map<string, Map<string, string>>()

  /** Keeps what an answer sets. */
  take(origin: string, headers: Headers): void {
    const kept = this.#byOrigin.get(origin) ?? new Map<string, string>()
    this.#byOrigin.set(origin, kept)
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^\s*([^=;\s]+)\s*=([^;]*)/.exec(line) ?? []
      if (name === '' || line.length > maxLength) continue
      if (/;\s*max-age\s*=\s*(0|-)/i.test(line)) kept.delete(name)
      else if (kept.size < most) kept.set(name, value.trim())
    }
  }

  /** The header for an origin; what was given stays unless an answer has set it anew. Undefined: no cookie. */
  header(origin: string, text: string | undefined): string | undefined {
    const kept = this.#byOrigin.get(origin) ?? new Map<string, string>()
    const own = (text ?? '').split(';').map((part) => part.trim())
    const rest = own.filter((part) => part !== '' && !kept.has(part.split('=')[0] ?? ''))
    const all = [...rest, ...[...kept].map(([name, value]) => `${name}=${value}`)]
    return all.length ? all.join('; ') : undefined
  }
}
