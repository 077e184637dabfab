import { hasNames, isAmount, type Field } from '../field.ts'

/** Words that indicate identifiers. */
const naming =
  /^(?:id|ids|uuid|guid|gid|oid|fid|pk|key|code|codes|fips|geoid|objectid|globalid|recordid|rowid|zip|zipcode|postal|postcode|plz|phone|fax|iso|iata|icao|ein|ssn|naics|url|email)$/
/** Words that indicate coordinates. */
const placing = /^(?:lat|latitude|lon|lng|long|longitude|latitud|longitud|easting|northing|utm)$/
/** Names of numbers that are parts of dates; "rides per year" is none. */
const dating = /^(?:year|yr|month|day|weekday|week|quarter|decade|hour|minute|año|mes|année|annee|jahr|fy)$/

/**
 * Whether sums or averages of a field are meaningful: numbers that are no identifiers, codes, date parts or coordinates. Explicit
 * settings of the field take precedence over its key and name.
 */
export function isMeasure(key: string, field: Field): boolean {
  const { additive, measurement, name } = field
  if (!isAmount(field)) return false
  if (additive === true) return true
  if (measurement !== undefined) return true
  return ![key, name].some((text) => {
    const words = splitWords(text)
    const [last = '', before = ''] = words.toReversed()
    return (
      words.some((word) => naming.test(word) || placing.test(word)) ||
      (dating.test(last) && before !== 'per' && before !== 'of')
    )
  })
}

/** Whether values of a field are categories: texts, booleans and named codes that are no identifiers. */
export function isKind(key: string, field: Field): boolean {
  if (field.type === 'boolean') return true
  if (field.identifier === true) return false
  if (field.type === 'number') return hasNames(field)
  if (field.type !== 'text') return false
  return ![key, field.name].some((text) =>
    /^(?:id|uuid|guid|url|email|phone|fax)$/.test(splitWords(text).at(-1) ?? ''),
  )
}

/** The words of a key or name, lower-cased: `stationId`, `Station ID` and `station_id` are the same. */
function splitWords(text: string): string[] {
  return text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
}
