/** A licence: its SPDX id if it has one, its name, the URL of its text. */
interface Licence {
  /** Null: no SPDX id. */
  id: string | null
  title: string
  /** Null for an unknown licence without a URL. */
  url: string | null
}

/** A known licence, and lower-cased aliases. */
interface KnownLicence extends Licence {
  url: string
  names: RegExp
}

const knownLicences: readonly KnownLicence[] = [
  {
    id: 'CC0-1.0',
    title: 'CC0 1.0 (no rights reserved)',
    url: 'https://creativecommons.org/publicdomain/zero/1.0/',
    names: /^cc[ -]?0|^creative commons zero/,
  },
  {
    id: 'CC-PDM-1.0',
    title: 'Public Domain Mark 1.0',
    url: 'https://creativecommons.org/publicdomain/mark/1.0/',
    names: /^public domain|^pdm|^cc-pdm/,
  },
  {
    id: 'CC-BY-4.0',
    title: 'CC BY 4.0 (attribution)',
    url: 'https://creativecommons.org/licenses/by/4.0/',
    names:
      /^cc[ -]by([ -]4(\.0)?( \(attribution\))?)?$|^creative commons attribution( 4\.0)?( international)?$/,
  },
  {
    id: 'CC-BY-SA-4.0',
    title: 'CC BY-SA 4.0 (attribution, share alike)',
    url: 'https://creativecommons.org/licenses/by-sa/4.0/',
    names: /^cc[ -]by[ -]sa([ -]4(\.0)?( \(attribution, share alike\))?)?$/,
  },
  {
    id: 'CC-BY-NC-4.0',
    title: 'CC BY-NC 4.0 (attribution, not commercial)',
    url: 'https://creativecommons.org/licenses/by-nc/4.0/',
    names: /^cc[ -]by[ -]nc([ -]4(\.0)?( \(attribution, not commercial\))?)?$/,
  },
  {
    id: null,
    title: 'U.S. Government work',
    url: 'https://www.usa.gov/government-works',
    names: /^u\.?s\.? government work/,
  },
  {
    id: 'OGL-UK-3.0',
    title: 'Open Government Licence 3.0 (UK)',
    url: 'https://www.nationalarchives.gov.uk/doc/open-government-licence/version/3/',
    names: /^ogl([ -]uk)?([ -]v?3(\.0)?)?$|^open government licen[cs]e( v?3(\.0)?)?( \(uk\))?$/,
  },
  {
    id: 'ODbL-1.0',
    title: 'ODbL 1.0 (attribution, share alike)',
    url: 'https://opendatacommons.org/licenses/odbl/1-0/',
    names: /^(odc[ -])?odbl/,
  },
  {
    id: 'ODC-By-1.0',
    title: 'ODC-BY 1.0 (attribution)',
    url: 'https://opendatacommons.org/licenses/by/1-0/',
    names: /^odc[ -]by/,
  },
  {
    id: 'PDDL-1.0',
    title: 'PDDL 1.0 (no rights reserved)',
    url: 'https://opendatacommons.org/licenses/pddl/1-0/',
    names: /^(odc[ -])?pddl/,
  },
]

/** The offered licences, the most permissive first. */
export const offeredLicences: readonly { title: string; url: string }[] = knownLicences

/**
 * The licence of a source as written, with the URL of its text: that of the known licence, else `ownUrl`, else the name itself if it
 * is a URL. Null without a name.
 */
export function findLicence(name: string | null, ownUrl: string | null = null): Licence | null {
  const text = name?.trim() ?? ''
  if (text === '') return ownUrl === null ? null : { id: null, title: ownUrl, url: ownUrl }
  const licence = knownLicences.find(({ names }) => names.test(text.toLowerCase()))
  if (licence) return { id: licence.id, title: text, url: licence.url }
  return { id: null, title: text, url: ownUrl ?? (/^https?:\/\/\S+$/i.test(text) ? text : null) }
}

/** The URL of a licence given by name or URL; null if unknown. */
export const licenceUrl = (name: string | null, ownUrl: string | null = null) =>
  findLicence(name, ownUrl)?.url ?? null
