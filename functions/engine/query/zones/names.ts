/*
 * JavaScript and Postgres both support IANA names, and each supports others with a meaning of its own: IST is India here
 * and Israel there, `GMT+5` is east here and west there, SystemV/AST4ADT has rules only here. Only IANA names are
 * accepted, so that a query has one meaning.
 */
const withoutArea = new Set(
  (
    'CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland ' +
    'Iran Israel Jamaica Japan Kwajalein Libya MET MST MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ' +
    'ROK Singapore Turkey UCT UTC Universal W-SU WET Zulu'
  )
    .toLowerCase()
    .split(' '),
)
const withArea = /^[A-Za-z]+(\/[A-Za-z0-9_+-]+)+$/
/** Names in JavaScript's list that are not, or no longer, IANA names. */
const foreign = /^systemv\/|^(us\/pacific-new|canada\/east-saskatchewan|etc\/unknown)$/i
/**
 * Names that Postgres takes for abbreviations with a fixed offset. In the IANA database they are links to zones with
 * offset changes ("Link Europe/Brussels CET").
 */
const links: Record<string, string> = {
  cet: 'Europe/Brussels',
  met: 'Europe/Brussels',
  eet: 'Europe/Athens',
  wet: 'Europe/Lisbon',
}

/** Resolves an IANA time zone name, in any case, to a name that Postgres reads alike. Undefined for anything else. */
export function zoneNamed(name: string): string | undefined {
  const lower = name.toLowerCase()
  if (name.length > 64 || !(name.includes('/') ? withArea.test(name) : withoutArea.has(lower)))
    return undefined
  if (foreign.test(name) || !isKnown(name, lower)) return undefined
  return Object.hasOwn(links, lower) ? links[lower] : name
}

/** Valid names in lower case, as a cache: looking one up takes as long as parsing a query. */
const knownZones = new Set<string>()

function isKnown(name: string, lower: string): boolean {
  if (knownZones.has(lower)) return true
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    knownZones.add(lower)
    return true
  } catch {
    return false
  }
}
