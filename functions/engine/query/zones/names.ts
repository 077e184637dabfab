/*
 * JavaScript and Postgres both know the names of the IANA, and each knows others that it reads in its own way: IST is
 * India here and Israel there, `GMT+5` is east here and west there, SystemV/AST4ADT has rules only here. A question
 * must not mean two things, so only the IANA's own names are taken.
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
/** In JavaScript's list, never or no longer in the IANA's. */
const foreign = /^systemv\/|^(us\/pacific-new|canada\/east-saskatchewan|etc\/unknown)$/i
/**
 * Names that Postgres takes for abbreviations: the same offset the whole year. In the IANA's list they are links to
 * places that change their clocks ("Link Europe/Brussels CET").
 */
const links: Record<string, string> = {
  cet: 'Europe/Brussels',
  met: 'Europe/Brussels',
  eet: 'Europe/Athens',
  wet: 'Europe/Lisbon',
}

/** A time zone by its name of the IANA, in any case, as a name that Postgres reads alike. Undefined for anything else. */
export function zoneNamed(name: string): string | undefined {
  const lower = name.toLowerCase()
  if (name.length > 64 || !(name.includes('/') ? withArea.test(name) : withoutArea.has(lower)))
    return undefined
  if (foreign.test(name) || !isKnown(name, lower)) return undefined
  return Object.hasOwn(links, lower) ? links[lower] : name
}

/** Names found to be known, in small letters: as many as there are zones, while to look one up takes as long as parsing a question. */
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
