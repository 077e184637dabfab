import { cookiesNamed } from '#functions/domain/identity/cookie.ts'
import { timeZoneCookie } from '#functions/shapes/time-zone-cookie.ts'

/** Maximum number of characters that are read of a header. */
const longestHeader = 500

/** The locale for dates, from the `Accept-Language` header; English without one. */
export function getDateLocale(request: Request): string {
  const header = (request.headers.get('accept-language') ?? '').slice(0, longestHeader)
  const ranges = header
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
      const quality = parameters.find((part) => part.startsWith('q='))
      return { tag, quality: quality === undefined ? 1 : Number(quality.slice(2)) }
    })
    .filter(({ tag, quality }) => /^[a-z]{2,3}(-[a-z\d]{2,8})*$/i.test(tag) && quality > 0)
    .sort((a, b) => b.quality - a.quality)
  for (const { tag } of ranges) {
    const [locale] = supportedLocales(tag)
    if (locale !== undefined) return locale
  }
  return 'en'
}

function supportedLocales(tag: string): string[] {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag)
  } catch {
    return []
  }
}

/** The time zone that the reader's browser last reported in a cookie; null if missing or unknown. */
export function findReaderTimeZone(request: Request): string | null {
  const [value = ''] = cookiesNamed(request.headers, timeZoneCookie)
  try {
    return new Intl.DateTimeFormat('en', { timeZone: decodeURIComponent(value) }).resolvedOptions().timeZone
  } catch {
    return null
  }
}
