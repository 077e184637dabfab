import { languages } from '#functions/shapes/language/index.ts'
import { toLocale } from '#functions/shapes/locale.ts'

type Box = [number, number, number, number]

/** Distant parts of the United States: their names, and the FIPS codes of their states. */
const parts = [
  { key: 'alaska', bounds: [-172, 51, -129.5, 71.6], states: ['02'], isAlways: true },
  { key: 'hawaii', bounds: [-160.6, 18.6, -154.6, 22.5], states: ['15'], isAlways: true },
  { key: 'puertoRico', bounds: [-67.4, 17.6, -64.4, 18.7], states: ['72', '78'], isAlways: false },
  { key: 'marianas', bounds: [144.4, 13, 146.4, 20.7], states: ['66', '69'], isAlways: false },
  { key: 'samoa', bounds: [-171.3, -14.7, -168, -10.9], states: ['60'], isAlways: false },
] as const

/**
 * Distant parts of a set, which its interactive map does not initially show, named in the language of the locale: Alaska
 * and Hawaii, which are insets in pictures, and territories with data. `keys`: gids of regions with data. Empty for
 * other sets.
 */
export function listFarParts(
  setId: string,
  keys: readonly string[],
  locale: string,
): { name: string; bounds: Box }[] {
  if (setId !== 'us-states' && setId !== 'us-counties') return []
  const { farParts } = languages[toLocale(locale)].map
  const states = new Set(keys.map((key) => /^us-(?:state|county)-(\d{2})/.exec(key)?.[1]))
  return parts
    .filter(({ isAlways, states: own }) => isAlways || own.some((code) => states.has(code)))
    .map(({ key, bounds }) => ({ name: farParts[key], bounds: [...bounds] }))
}
