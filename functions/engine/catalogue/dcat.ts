import { topicPath } from '#functions/shapes/topic.ts'
import { frequencyUrl } from './cadence.ts'
import { licenceUrl } from '#functions/shapes/licences.ts'
import { prefixes, terms, type LanguageText, type Node } from './terms.ts'
import { parseContact } from '#functions/shapes/metadata.ts'
import type { DatasetFacts, DatasetTexts, FileFacts, HubFacts } from './facts.ts'

/** Which application of DCAT 3 a catalogue follows. */
type Profile = 'us' | 'ap'

/** The position of a page of a catalogue; URLs are absolute. */
interface CataloguePage {
  url: string
  first: string
  /** Null on the first page; on the last. */
  previous: string | null
  next: string | null
  last: string
  /** Of datasets, on all pages. */
  total: number
}

const standards: Record<Profile, string> = {
  us: 'https://doi-do.github.io/dcat-us/',
  ap: 'https://semiceu.github.io/DCAT-AP/releases/3.0.0/',
}

const authority = 'http://publications.europa.eu/resource/authority'

/** Formats by their names in the list required by DCAT-AP. */
const fileTypes: Record<string, string> = {
  csv: 'CSV',
  json: 'JSON',
  geojson: 'GEOJSON',
  xlsx: 'XLSX',
  parquet: 'PARQUET',
}

/**
 * A page of the catalogue as a tree of DCAT 3 with the mandatory properties of DCAT-US 3.0 and DCAT-AP 3.0: of a
 * catalogue title, description, publisher, datasets; of a dataset also identifier and contact; of a distribution its
 * URL. Pages are linked by `hydra:next`, as harvesters of CKAN and Piveau expect.
 */
export function dcat(profile: Profile, hub: HubFacts, datasets: DatasetFacts[], page: CataloguePage): Node {
  const { origin, name, description, updatedAt } = hub
  return {
    '@id': `${origin}/#catalog`,
    '@type': 'dcat:Catalog',
    title: name,
    description: description || `Open data of ${name}.`,
    publisher: buildPublisher(hub),
    homepage: `${origin}/`,
    conformsTo: {
      '@id': standards[profile],
      '@type': 'dct:Standard',
      title: profile === 'us' ? 'DCAT-US 3.0' : 'DCAT-AP 3.0',
    },
    ...(updatedAt && { modified: updatedAt }),
    dataset: datasets.map((dataset) => buildDataset(profile, hub, dataset)),
    view: buildView(page),
  }
}

/** A DCAT tree as self-contained JSON-LD 1.1: no context has to be fetched. */
export function jsonLd(tree: Node): string {
  return `${JSON.stringify({ '@context': { ...prefixes, ...terms }, ...tree })}\n`
}

const buildPublisher = ({ origin, name }: HubFacts): Node => ({
  '@id': `${origin}/#publisher`,
  '@type': ['org:Organization', 'foaf:Agent'],
  name,
})

function buildView({ url, first, previous, next, last, total }: CataloguePage): Node {
  return {
    '@id': url,
    '@type': ['hydra:PartialCollectionView', 'hydra:PagedCollection'],
    first,
    ...(previous && { previous }),
    ...(next && { next }),
    last,
    totalItems: total,
  }
}

function buildDataset(profile: Profile, hub: HubFacts, dataset: DatasetFacts): Node {
  const { id, title, description, url, theme, topic, dataTypeId, attribution, extent, period } = dataset
  const buildLanguageTexts = (own: string, pickText: (texts: DatasetTexts) => string | undefined) =>
    toLanguageTexts(hub, own, dataset.translations ?? [], pickText)
  return {
    '@id': `${url}#dataset`,
    '@type': 'dcat:Dataset',
    identifier: `${hub.authority}/${id}`,
    title: buildLanguageTexts(title, ({ title: text }) => text),
    description: description
      ? buildLanguageTexts(description, ({ description: text }) => text)
      : `${title}: ${theme}, published by ${hub.name}.`,
    publisher:
      dataset.publisher === null ? buildPublisher(hub) : buildAgent(dataset.publisher, dataset.publisherUrl),
    contactPoint: buildContactPoint(hub, dataset),
    ...(dataset.cadence && { accrualPeriodicity: frequencyUrl(dataset.cadence) }),
    ...(attribution && { creator: buildAgent(attribution, dataset.attributionUrl) }),
    keyword: buildKeywords(hub, dataset),
    theme: [
      {
        ...{ '@id': `${hub.origin}/domains#${dataTypeId}`, '@type': 'skos:Concept' },
        prefLabel: buildLanguageTexts(theme, ({ theme: text }) => text),
      },
      ...(topic === null
        ? []
        : [
            {
              ...{ '@id': hub.origin + topicPath(topic), '@type': 'skos:Concept' },
              prefLabel: buildLanguageTexts(topic, ({ topic: text }) => text),
            },
          ]),
    ],
    landingPage: { '@id': url, '@type': 'foaf:Document' },
    issued: dataset.createdAt,
    modified: dataset.updatedAt,
    version: String(dataset.version),
    accessRights: buildAccessRights(profile),
    ...(extent && { spatial: { '@type': 'dct:Location', bbox: formatBox(extent) } }),
    ...(period && {
      temporal: { '@type': 'dct:PeriodOfTime', startDate: period.start, endDate: period.end },
    }),
    ...(dataset.properties && {
      additionalProperty: dataset.properties.map(({ key, title: propertyName, value }) => ({
        ...{ '@type': 'schema:PropertyValue', propertyID: key, propertyName, value },
      })),
    }),
    distribution: dataset.files.map((file) => buildDistribution(profile, dataset, file)),
  }
}

/** A text in its languages; with a single one just the text. */
function toLanguageTexts(
  { language }: HubFacts,
  own: string,
  translations: readonly DatasetTexts[],
  pickText: (texts: DatasetTexts) => string | undefined,
): string | LanguageText[] {
  const others = translations.flatMap((texts) => {
    const text = pickText(texts)
    return text === undefined ? [] : [{ '@value': text, '@language': texts.language }]
  })
  return others.length === 0 ? own : [{ '@value': own, '@language': language }, ...others]
}

function buildKeywords(
  { language }: HubFacts,
  { theme, keywords, translations = [] }: DatasetFacts,
): (string | LanguageText)[] {
  const own = [...new Set([theme, ...keywords])]
  const others = translations.flatMap((texts) =>
    [...new Set([texts.theme ?? [], texts.keywords].flat())].map((text) => ({
      ...{ '@value': text, '@language': texts.language },
    })),
  )
  return others.length === 0
    ? own
    : [...own.map((text) => ({ '@value': text, '@language': language })), ...others]
}

const buildAgent = (name: string, url: string | null): Node => ({
  ...(url && { '@id': url }),
  '@type': ['org:Organization', 'foaf:Agent'],
  name,
})

/** The contact: the dataset's own, or else the hub. */
function buildContactPoint(hub: HubFacts, dataset: DatasetFacts): Node {
  const contact = parseContact(dataset.contact)
  if (contact === null)
    return {
      '@id': `${hub.origin}/#contact`,
      '@type': 'vcard:Organization',
      fn: hub.name,
      hasEmail: `mailto:${hub.email}`,
    }
  return {
    '@id': `${dataset.url}#contact`,
    '@type': 'vcard:Organization',
    fn: dataset.contactName ?? dataset.publisher ?? hub.name,
    ...('email' in contact ? { hasEmail: `mailto:${contact.email}` } : { hasURL: contact.url }),
  }
}

const buildAccessRights = (profile: Profile): Node =>
  profile === 'ap'
    ? { '@id': `${authority}/access-right/PUBLIC`, '@type': 'dct:RightsStatement' }
    : { '@type': 'dct:RightsStatement', label: 'public' }

function buildDistribution(profile: Profile, dataset: DatasetFacts, file: FileFacts): Node {
  const { title, url, licence } = dataset
  const license = licenceUrl(licence, dataset.licenceUrl)
  const { label, extension, mediaType, url: downloadURL } = file
  const fileType = fileTypes[extension]
  return {
    '@id': `${url}#${extension}`,
    '@type': 'dcat:Distribution',
    title: `${title} as ${label}`,
    accessURL: url,
    downloadURL,
    mediaType: {
      '@id': `https://www.iana.org/assignments/media-types/${mediaType}`,
      '@type': 'dct:MediaType',
    },
    ...(profile === 'ap' &&
      fileType && {
        format: { '@id': `${authority}/file-type/${fileType}`, '@type': 'dct:MediaTypeOrExtent' },
      }),
    ...(extension === 'csv' && { describedBy: `${url}/csv-metadata.json` }),
    ...((licence ?? license) && {
      license: license
        ? { '@id': license, '@type': 'dct:LicenseDocument' }
        : { '@type': 'dct:LicenseDocument', title: licence ?? '' },
    }),
  }
}

/** A box as well-known text. */
function formatBox([west = 0, south = 0, east = 0, north = 0]: number[]): string {
  return `POLYGON((${west} ${south},${east} ${south},${east} ${north},${west} ${north},${west} ${south}))`
}
