import type { Visibility } from '#db/schema.ts'
import type { Locale } from '#functions/shapes/locale.ts'
import type { Cadence } from '#functions/shapes/metadata.ts'
import * as records from './records.ts'

export interface SeedSource {
  id: string
  dataTypeId: string
  name: string
  notes: string
  visibility: Visibility
  attribution: string
  attributionUrl?: string
  licence?: string
  tags?: string[]
  cadence?: Cadence
  rows(): Record<string, unknown>[]
}

export interface SeedPlace {
  id: string
  name: string
  displayName: string
  description: string
  about: string
  isHub: boolean
  domain?: string
  timeZone: string
  /** The languages of its hub, the default first; absent: all. */
  languages?: [Locale, ...Locale[]]
  theme: { primaryColor?: string }
  boundaryId: string | null
  allStatesBoundaryId: string
  sources: SeedSource[]
}

const vega = 'https://github.com/vega/vega-datasets'
const publicDomain = 'U.S. Government work, public domain'

/** The demo's three places: a city and a country with hubs, and an organization without one. */
export const places: SeedPlace[] = [
  {
    id: 'seattle-wa',
    name: 'Seattle, WA',
    displayName: 'Seattle Open Data',
    description:
      'Weather, climate and airfields of the city and its state: figures anyone may read, reuse and question.',
    about: `<p>This hub shows what is measured in and around Seattle. Every chart stands beside its table, and every table can be downloaded.</p>
<h2>Where the figures come from</h2><p>The weather records and climate normals are those of the National Oceanic and Atmospheric Administration; the airfields and wildlife strikes those of the Federal Aviation Administration. They reach this hub through the data sets of the Vega project.</p>
<h2>Using them</h2><p>Download a table, ask the API, or cite a page: addresses here do not change.</p>`,
    isHub: true,
    domain: 'data.seattle.localhost',
    timeZone: 'America/Los_Angeles',
    languages: ['en', 'es', 'fr', 'ar', 'ja'],
    theme: { primaryColor: '#00695c' },
    boundaryId: 'us-county-53033',
    allStatesBoundaryId: 'us-counties',
    sources: [
      {
        id: 'seattle-weather',
        dataTypeId: 'daily-weather',
        name: 'Seattle daily weather',
        notes: 'Precipitation, temperatures and wind of each day from 2012 to 2015.',
        visibility: 'public',
        attribution: 'NOAA National Centers for Environmental Information',
        attributionUrl: 'https://www.ncei.noaa.gov/',
        licence: publicDomain,
        tags: ['rain', 'temperature', 'wind'],
        cadence: 'never',
        rows: records.seattleWeather,
      },
      {
        id: 'seattle-climate',
        dataTypeId: 'hourly-climate',
        name: 'Seattle hourly climate normals',
        notes: 'What is normal for every hour of the year, from the years 1981 to 2010.',
        visibility: 'public',
        attribution: 'NOAA National Centers for Environmental Information',
        attributionUrl: 'https://www.ncei.noaa.gov/',
        licence: publicDomain,
        tags: ['climate normals', 'temperature'],
        cadence: 'never',
        rows: records.seattleClimate,
      },
      {
        id: 'washington-airports',
        dataTypeId: 'airport',
        name: 'Airports of Washington State',
        notes: 'Airports and airfields in the state, with their position.',
        visibility: 'public',
        attribution: 'Bureau of Transportation Statistics',
        attributionUrl: vega,
        licence: publicDomain,
        rows: () => records.airports((row) => row.state === 'WA'),
      },
      {
        id: 'washington-strikes',
        dataTypeId: 'wildlife-strike',
        name: 'Wildlife strikes in Washington State',
        notes: 'Under review by the city’s staff: not public yet.',
        visibility: 'place',
        attribution: 'FAA Wildlife Strike Database',
        attributionUrl: 'https://wildlife.faa.gov/',
        licence: publicDomain,
        rows: () => records.wildlifeStrikes((row) => row['Origin State'] === 'Washington'),
      },
    ],
  },
  {
    id: 'usa',
    name: 'United States',
    displayName: 'Atlas of the United States',
    description:
      'Airports, flights, postal areas and wildlife strikes of a whole country, down to its counties.',
    about: `<p>This atlas gathers records of the whole country in one place and draws them on its states and counties.</p>
<h2>Where the figures come from</h2><p>Airports and flights are those of the Bureau of Transportation Statistics, wildlife strikes those of the Federal Aviation Administration, boundaries those of the Census Bureau as the us-atlas project publishes them.</p>`,
    isHub: true,
    timeZone: 'America/New_York',
    theme: { primaryColor: '#b3261e' },
    boundaryId: 'us-nation',
    allStatesBoundaryId: 'us-states',
    sources: [
      {
        id: 'us-airports',
        dataTypeId: 'airport',
        name: 'Airports of the United States',
        notes: 'Airports and airfields with their position.',
        visibility: 'public',
        attribution: 'Bureau of Transportation Statistics',
        attributionUrl: vega,
        licence: publicDomain,
        tags: ['aviation', 'airfields'],
        cadence: 'never',
        rows: () => records.airports((row) => row.country === 'USA'),
      },
      {
        id: 'us-flights',
        dataTypeId: 'flight',
        name: 'Flights in early 2001',
        notes: 'Twenty thousand flights from January to March 2001, placed at their origin airport.',
        visibility: 'public',
        attribution: 'Bureau of Transportation Statistics',
        attributionUrl: 'https://www.bts.gov/',
        licence: publicDomain,
        tags: ['aviation', 'delays'],
        cadence: 'never',
        rows: records.readFlights,
      },
      {
        id: 'us-postal-areas',
        dataTypeId: 'postal-area',
        name: 'ZIP codes',
        notes: 'Postal codes of the country, one point each.',
        visibility: 'public',
        attribution: 'GeoNames',
        attributionUrl: 'https://www.geonames.org/',
        licence: 'Creative Commons Attribution 4.0',
        tags: ['ZIP codes', 'postal codes'],
        cadence: 'never',
        rows: records.postalAreas,
      },
      {
        id: 'us-wildlife-strikes',
        dataTypeId: 'wildlife-strike',
        name: 'Wildlife strikes by aircraft',
        notes: 'Ten thousand collisions of aircraft with animals, reported from January 1990 to July 2002.',
        visibility: 'public',
        attribution: 'FAA Wildlife Strike Database',
        attributionUrl: 'https://wildlife.faa.gov/',
        licence: publicDomain,
        tags: ['aviation', 'birds', 'safety'],
        cadence: 'never',
        rows: () => records.wildlifeStrikes(() => true),
      },
      {
        id: 'us-capitals',
        dataTypeId: 'capital',
        name: 'State capitals',
        notes: 'For the atlas team’s own maps.',
        visibility: 'place',
        attribution: 'Vega data sets',
        attributionUrl: vega,
        rows: records.capitals,
      },
    ],
  },
  {
    id: 'world',
    name: 'World',
    displayName: 'World Observatory',
    description:
      'Earthquakes, disasters and the development of countries. Works in its workspace; has no hub of its own.',
    about: '<p>An observatory that shares its sources with other places and keeps no hub.</p>',
    isHub: false,
    timeZone: 'UTC',
    theme: {},
    boundaryId: null,
    allStatesBoundaryId: 'world-countries',
    sources: [
      {
        id: 'world-development',
        dataTypeId: 'country-development',
        name: 'Development of countries',
        notes: 'Sixty-two countries from 1955 to 2005, every five years.',
        visibility: 'public',
        attribution: 'Gapminder Foundation',
        attributionUrl: 'https://www.gapminder.org/',
        licence: 'Creative Commons Attribution 4.0',
        rows: records.countryDevelopment,
      },
      {
        id: 'world-earthquakes',
        dataTypeId: 'earthquake',
        name: 'Earthquakes of one week',
        notes: 'Every event the networks recorded in the week up to 7 February 2018.',
        visibility: 'public',
        attribution: 'U.S. Geological Survey',
        attributionUrl: 'https://earthquake.usgs.gov/',
        licence: publicDomain,
        rows: records.earthquakes,
      },
      {
        id: 'world-disasters',
        dataTypeId: 'disaster',
        name: 'Deaths by natural disasters',
        notes: 'Since 1900, by kind. Shared within the observatory.',
        visibility: 'place',
        attribution: 'Our World in Data, from EM-DAT',
        attributionUrl: 'https://ourworldindata.org/natural-disasters',
        rows: records.disasters,
      },
    ],
  },
]
