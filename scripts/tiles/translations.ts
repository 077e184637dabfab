import { countryOfRegion } from '#functions/engine/map/region-names.ts'
import { allLanguages, defaultLocale } from '#functions/shapes/locale.ts'
import { stateCodes } from '#functions/shapes/region-codes.ts'
import { readRegions, type GroundRegion } from '../ground/regions.ts'

type Translate = (gid: string) => Readonly<Record<string, string>>

let translate: Translate | undefined

/**
 * Returns a function that names a region of an atlas by its `gid` in the languages of hubs, as far as they differ from
 * its English name: countries as ICU names them, states as Natural Earth does; none for other regions. Made once in a process: it
 * reads all regions of the world, and each level of each set has names and a file.
 */
export const translator = (): Translate => (translate ??= makeTranslator())

function makeTranslator(): Translate {
  const others = allLanguages.filter((locale) => locale !== defaultLocale)
  const speakers = others.map(
    (locale) => [locale, new Intl.DisplayNames(locale, { type: 'region', fallback: 'none' })] as const,
  )
  const regions = readRegions().objects.regions.geometries.map(({ properties }) => properties as GroundRegion)
  const states = new Map<string, Readonly<Record<string, string>>>(
    stateCodes.flatMap(([letters, fips]) => {
      const region = regions.find(({ code }) => code === `US-${letters}`)
      if (!region) return []
      const { [defaultLocale]: _english, ...names } = region.names
      return [[`us-state-${fips}`, names] as const]
    }),
  )
  return (gid) => {
    const country = countryOfRegion(gid)
    if (country === null) return states.get(gid) ?? {}
    return Object.fromEntries(
      speakers.flatMap(([locale, speaker]) => {
        const name = speaker.of(country)
        return name === undefined ? [] : [[locale, name] as const]
      }),
    )
  }
}
