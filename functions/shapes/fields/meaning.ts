import { hasNames, isAmount, type Field } from '../field.ts'

/** Words that say of a field that its values name things. */
const naming =
  /^(?:id|ids|uuid|guid|gid|oid|fid|pk|key|code|codes|fips|geoid|objectid|globalid|recordid|rowid|zip|zipcode|postal|postcode|plz|phone|fax|iso|iata|icao|ein|ssn|naics|url|email)$/
/** Words that say of numbers that they are places on the earth. */
const placing = /^(?:lat|latitude|lon|lng|long|longitude|latitud|longitud|easting|northing|utm)$/
/** Names of numbers that are parts of dates; "rides per year" is none. */
const dating = /^(?:year|yr|month|day|weekday|week|quarter|decade|hour|minute|año|mes|année|annee|jahr|fy)$/

/**
 * Whether the values of a field can be added up or averaged so that it says something: numbers that are no names of things, no
 * codes, no parts of dates and no places. What a field says itself counts; else its key and its name do.
 */
export function isMeasure(key: string, field: Field): boolean {
  const { additive, measurement, name } = field
  if (!isAmount(field)) return false
  if (additive === true) return true
  if (measurement !== undefined) return true
  return ![key, name].some((text) => {
    const words = wordsOf(text)
    const [last = '', before = ''] = words.toReversed()
    return (
      words.some((word) => naming.test(word) || placing.test(word)) ||
      (dating.test(last) && before !== 'per' && before !== 'of')
    )
  })
}

/** Whether the values of a field may be told apart as kinds of things: texts, truths and codes that have names, which name no single thing. */
export function isKind(key: string, field: Field): boolean {
  if (field.type === 'boolean') return true
  if (field.identifier === true) return false
  if (field.type === 'number') return hasNames(field)
  if (field.type !== 'text') return false
  return ![key, field.name].some((text) =>
    /^(?:id|uuid|guid|url|email|phone|fax)$/.test(wordsOf(text).at(-1) ?? ''),
  )
}

/** The words of a key or a name, in lower case: `stationId`, `Station ID` and `station_id` have the same. */
function wordsOf(text: string): string[] {
  return text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
}
