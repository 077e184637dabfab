const octet = '(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)'
const ipv4 = new RegExp(`^${octet}(?:\\.${octet}){3}$`)
const topLevel = /^(?:[a-z\u00a1-\u00a8\u00aa-\ud7ff\uf900-\ufdcf\ufdf0-\uffef]{2,}|xn[a-z0-9-]{2,})$/i
const label = /^[a-z0-9\u00a1-\uff00\uff5f-\uffff-]{1,63}$/i
const unsafe = /[\s<>\\\p{Cc}]/u
const authority = /^([a-z]+):\/\/([^/?#]+)/i
const port = /^\d{1,5}$/
const localPart = /^[a-z\d!#$%&'*+\-/=?^_`{|}~\u00a1-\ud7ff\uf900-\ufdcf\ufdf0-\uffef]+$/i
const quotedPart = /^"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*"$/u

/** Maximum length of a URL, in UTF-16 units. */
const maxUrlLength = 2082

/**
 * Whether a text is an absolute URL of one of the schemes (lower case) with a public-looking host: labels with a dot and a top-level
 * domain, or an IP address. Credentials, ports and international names are accepted.
 */
export function isUrl(text: string, schemes: readonly string[]): boolean {
  if (text.length > maxUrlLength || unsafe.test(text)) return false
  const parts = authority.exec(text)
  if (parts === null || !schemes.includes(parts[1]!.toLowerCase())) return false
  const addressParts = parts[2]!.split('@')
  if (addressParts.length > 2 || (addressParts.length === 2 && !/^[^:]+(?::[^:]*)?$/.test(addressParts[0]!)))
    return false
  const place = addressParts.at(-1)!
  const end = place.startsWith('[') ? place.indexOf(']') + 1 : place.lastIndexOf(':')
  const host = end > 0 ? place.slice(0, end) : place
  const rest = place.slice(host.length)
  if (rest !== '' && !(rest.startsWith(':') && isPort(rest.slice(1)))) return false
  return isHostName(host) || ipv4.test(host) || isIpv6(host)
}

/** Whether a text is one email address: a local part (possibly quoted, 64 bytes) and a hostname (254 bytes); no display name. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@')
  if (at < 1 || text.length > 320) return false
  const local = text.slice(0, at)
  const host = text.slice(at + 1)
  if (countBytes(local) > 64 || countBytes(host) > 254 || !isHostName(host)) return false
  return quotedPart.test(local) || local.split('.').every((part) => localPart.test(part))
}

/** Extensions of media files, by kind. */
const extensions = {
  image: 'apng avif bmp gif heic heif ico jfif jpeg jpg jxl png svg tif tiff webp',
  video: '3gp avi m3u8 m4v mkv mov mp4 mpd mpeg mpg ogv ts webm wmv',
  audio: 'aac aif aiff flac m3u8 m4a mid mp3 oga ogg opus wav weba wma',
}
const kindsByExtension = new Map<string, string[]>()
for (const [kind, names] of Object.entries(extensions))
  for (const name of names.split(' '))
    kindsByExtension.set(name, [...(kindsByExtension.get(name) ?? []), kind])
/** Extensions of other files: pages, documents, tables, archives. */
for (const name of 'csv doc docx geojson htm html json md ods odt pdf ppt pptx rar txt xls xlsx xml zip'.split(
  ' ',
))
  kindsByExtension.set(name, [])

/**
 * Whether a web address may be a picture, video or audio file. Extensions of other kinds are rejected; no extension, or an ambiguous
 * one (`.php`), may be anything.
 */
export function isMediaUrl(text: string, kind: MediaKind): boolean {
  if (!isUrl(text, ['http', 'https'])) return false
  return kindsByExtension.get(getFileExtension(text))?.includes(kind) ?? true
}

export type MediaKind = keyof typeof extensions

/** Whether the extension of a web address tells its kind. */
export const saysMediaKind = (text: string): boolean => kindsByExtension.has(getFileExtension(text))

/** The lower-cased extension of a URL's path; '' for none. */
function getFileExtension(text: string): string {
  const [, extension = ''] = /\/[^/?#]*\.([a-z\d]{1,8})(?:[?#]|$)/i.exec(text.replace(authority, '')) ?? []
  return extension.toLowerCase()
}

/**
 * Whether a text is a telephone number: optional country prefix, groups, and extension ("ext. 12", "x12"). At least three digits
 * (emergency and service numbers), at most fifteen (ITU-T E.164); after a "+" at least seven, not starting with zero.
 */
export function isPhone(text: string): boolean {
  const [, plus = '', number = ''] =
    /^\s*(\+?)((?:[\d\s.\-/()\u2010-\u2015])+?)(?:\s*(?:ext\.?|x|#)\s*\d{1,8})?\s*$/i.exec(text) ?? []
  const digits = number.replace(/\D/g, '')
  if (digits.length > 15 || !areBracketsClosed(number)) return false
  return plus === '' ? digits.length >= 3 : digits.length >= 7 && !digits.startsWith('0')
}

function areBracketsClosed(text: string): boolean {
  return /^[^()]*(?:\(\d[\d\s.-]*\)[^()]*)*$/.test(text)
}

/** Whether a text can be a postal address: at least five characters, including a letter of any script; no email or web address. */
export function isAddress(text: string): boolean {
  const plain = text.trim()
  return plain.length >= 5 && /\p{L}/u.test(plain) && !/[<>@]|:\/\//.test(plain)
}

/** Whether a text is a code (`US-WA`, `53033`, `A1.2/7`): 1 to 64 letters, digits, `.`, `_`, `/` and `-`. */
export function isCode(text: string): boolean {
  return /^[\p{L}\p{N}._/-]{1,64}$/u.test(text)
}

function isHostName(host: string): boolean {
  const labels = host.split('.')
  if (labels.length < 2 || !topLevel.test(labels.at(-1)!)) return false
  return labels.every((part) => label.test(part) && !part.startsWith('-') && !part.endsWith('-'))
}

function isPort(text: string): boolean {
  return port.test(text) && Number(text) > 0 && Number(text) <= 65_535
}

function isIpv6(host: string): boolean {
  if (!/^\[[0-9a-f:.]{2,45}\]$/i.test(host)) return false
  return URL.canParse(`http://${host}`)
}

function countBytes(text: string): number {
  return new TextEncoder().encode(text).length
}
