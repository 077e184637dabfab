/** Licences that are known by many names, with the address of their text. */
const known: [RegExp, string][] = [
  [/^cc[ -]?0|^creative commons zero/, 'https://creativecommons.org/publicdomain/zero/1.0/'],
  [/^public domain|^pdm/, 'https://creativecommons.org/publicdomain/mark/1.0/'],
  [/^cc[ -]by[ -]sa([ -]4(\.0)?)?$/, 'https://creativecommons.org/licenses/by-sa/4.0/'],
  [/^cc[ -]by[ -]nc([ -]4(\.0)?)?$/, 'https://creativecommons.org/licenses/by-nc/4.0/'],
  [
    /^cc[ -]by([ -]4(\.0)?)?$|^creative commons attribution( 4\.0)?( international)?$/,
    'https://creativecommons.org/licenses/by/4.0/',
  ],
  [/^u\.?s\.? government work/, 'https://www.usa.gov/government-works'],
  [/^(odc[ -])?odbl/, 'https://opendatacommons.org/licenses/odbl/1-0/'],
  [/^odc[ -]by/, 'https://opendatacommons.org/licenses/by/1-0/'],
  [/^(odc[ -])?pddl/, 'https://opendatacommons.org/licenses/pddl/1-0/'],
  [
    /^ogl|^open government licen[cs]e/,
    'https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/',
  ],
]

/** The address of a licence that was written as a name or an address; null for words that name none we know. */
export function licenceUrl(licence: string | null): string | null {
  if (licence === null) return null
  const text = licence.trim()
  if (/^https?:\/\/\S+$/i.test(text)) return text
  return known.find(([name]) => name.test(text.toLowerCase()))?.[1] ?? null
}
