import { findInterval } from './cadence.ts'
import { licenceUrl } from '#functions/shapes/licences.ts'
import { parseContact } from '#functions/shapes/metadata.ts'
import { toPropertyValue } from './schema-org.ts'
import type { DatasetFacts, HubFacts } from './facts.ts'

/**
 * The complete catalogue as DCAT-US 1.1 (Project Open Data, resources.data.gov/resources/dcat-us): that schema has no
 * pages. Bureau and program codes exist for federal agencies only. A licence without a known URL is written to `rights`,
 * since `license` must be a URL.
 */
export function dataJson(hub: HubFacts, datasets: DatasetFacts[]): string {
  const catalogue = {
    '@context': 'https://project-open-data.cio.gov/v1.1/schema/catalog.jsonld',
    '@id': `${hub.origin}/data.json`,
    '@type': 'dcat:Catalog',
    conformsTo: 'https://project-open-data.cio.gov/v1.1/schema',
    describedBy: 'https://project-open-data.cio.gov/v1.1/schema/catalog.json',
    dataset: datasets.map((dataset) => buildDataset(hub, dataset)),
  }
  return `${JSON.stringify(catalogue)}\n`
}

function buildDataset(hub: HubFacts, dataset: DatasetFacts) {
  const { title, description, url, theme, keywords, licence, attribution, extent, period } = dataset
  const license = licenceUrl(licence, dataset.licenceUrl)
  const interval = dataset.cadence && findInterval(dataset.cadence)
  return {
    '@type': 'dcat:Dataset',
    identifier: `${hub.authority}/${dataset.id}`,
    title,
    description: description || `${title}: ${theme}, published by ${hub.name}.`,
    keyword: [...new Set([theme, ...keywords])],
    theme: [theme],
    modified: dataset.updatedAt,
    issued: dataset.createdAt,
    accessLevel: 'public',
    landingPage: url,
    language: [hub.language],
    publisher: buildPublisher(hub, dataset.publisher ?? attribution),
    contactPoint: buildContactPoint(hub, dataset),
    ...(interval && { accrualPeriodicity: interval }),
    ...(license && { license }),
    ...(licence && !license && { rights: licence }),
    ...(extent && { spatial: extent.join(',') }),
    ...(period && { temporal: `${period.start}/${period.end}` }),
    ...(dataset.properties && { additionalProperty: dataset.properties.map(toPropertyValue) }),
    describedBy: `${url}/csv-metadata.json`,
    describedByType: 'application/csvm+json',
    distribution: dataset.files.map(({ label, mediaType, url: downloadURL }) => ({
      '@type': 'dcat:Distribution',
      title: `${title} as ${label}`,
      format: label,
      mediaType,
      downloadURL,
    })),
  }
}

/**
 * The contact: the dataset's own, or else the hub. An email address is required, so a contact page is combined with the
 * address of the hub.
 */
function buildContactPoint(hub: HubFacts, dataset: DatasetFacts) {
  const contact = parseContact(dataset.contact)
  const own = contact && 'email' in contact ? contact.email : null
  return {
    '@type': 'vcard:Contact',
    fn: (contact && (dataset.contactName ?? dataset.publisher)) ?? hub.name,
    hasEmail: `mailto:${own ?? hub.email}`,
    ...(contact && 'url' in contact && { hasURL: contact.url }),
  }
}

/** The publisher: the dataset's own, its origin, or else the hub's organization. */
function buildPublisher(hub: HubFacts, organization: string | null) {
  const own = { '@type': 'org:Organization', name: hub.name }
  return organization && organization !== hub.name ? { ...own, name: organization } : own
}
