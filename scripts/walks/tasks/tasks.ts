import type { Key, WindowOptions } from '../engines/engine.ts'

/** A step of a person. For a field only the click into it counts; keys are counted separately. */
export type Step =
  | { click: string; text?: string }
  | { fill: string; with: string }
  | { press: Key; times?: number }
  /** Follows the link to a file: it is fetched and must match `has`. */
  | { file: string; text?: string; has: RegExp }
  /** Something is visible now; no click. */
  | { see: string; text?: string }
  /** The current page is this one; no click. */
  | { at: RegExp }

/** The shortest known way in another product, and how it is known. Null without one. */
interface Peer {
  house: 'Our World in Data' | 'data.gouv.fr' | 'Huwise' | 'Datasette' | 'ArcGIS Hub'
  clicks: number
  way: string
  source: 'by its documentation' | 'from its pages, not measured'
}

export interface Task {
  person:
    | 'a resident'
    | 'a journalist'
    | 'an analyst'
    | 'someone who does not see, or reads Arabic on a phone'
  task: string
  /** Where the person starts: a host and a path. */
  start: { hub: 'seattle' | 'usa'; path: string }
  look?: WindowOptions
  steps: Step[]
  /** Other steps without scripts, or why it is not possible. */
  withoutScripts?: Step[] | string
  peer: Peer | null
}

const airports = { hub: 'usa', path: '/domains/airport/source/us-airports' } as const
const story = { hub: 'seattle', path: '/pages/storytelling/seattle-rain/preview' } as const
const phone = { width: 390, height: 844 }

const peerFromDocumentation = (house: Peer['house'], clicks: number, way: string): Peer => ({
  ...{ house, clicks, way },
  source: 'by its documentation',
})
const peerFromMemory = (house: Peer['house'], clicks: number, way: string): Peer => ({
  ...{ house, clicks, way },
  source: 'from its pages, not measured',
})

const resident: Task[] = [
  {
    person: 'a resident',
    task: 'finds the data on airports by searching',
    start: { hub: 'usa', path: '/' },
    steps: [
      { fill: '#hub-search', with: 'airports' },
      { press: 'Enter' },
      { click: 'a', text: 'Airports of the United States' },
      { at: /\/source\/us-airports$/ },
    ],
    peer: peerFromMemory('data.gouv.fr', 2, 'search field, Enter, the data set'),
  },
  {
    person: 'a resident',
    task: 'finds it by going through the topics',
    start: { hub: 'usa', path: '/' },
    steps: [
      { click: '.hub-sidebar a', text: 'Domains Data' },
      { click: 'main a', text: 'Airports of the United States' },
      { at: /\/source\/us-airports$/ },
    ],
    peer: peerFromMemory('Our World in Data', 3, 'Browse by topic, the topic, the chart'),
  },
  {
    person: 'a resident',
    task: 'sees how the states differ on a map',
    start: { hub: 'usa', path: '/' },
    steps: [{ click: '.hub-sidebar a', text: 'Maps' }, { see: 'figure[data-map] .figure-plot svg' }],
    peer: peerFromMemory('Our World in Data', 2, 'the chart, its tab Map'),
  },
  {
    person: 'a resident',
    task: 'reads the values of a chart in a table',
    start: story,
    steps: [{ click: 'figure [data-view="table"]' }, { see: 'figure .figure-data table' }],
    peer: peerFromMemory('Our World in Data', 1, 'the tab Table'),
  },
  {
    person: 'a resident',
    task: 'learns who publishes it, how often, and under which licence',
    start: airports,
    steps: [{ see: 'main', text: 'Licence' }],
    peer: peerFromMemory('data.gouv.fr', 0, 'it stands on the page of the data set'),
  },
]

const journalist: Task[] = [
  {
    person: 'a journalist',
    task: 'finds the records that name Texas',
    start: { hub: 'usa', path: '/' },
    steps: [
      { fill: '#hub-search', with: 'texas' },
      { press: 'Enter' },
      { click: 'a', text: 'Show all, with filters' },
      { click: 'a', text: 'is Texas' },
      { at: /\/data\?is\./ },
    ],
    withoutScripts: [
      { fill: '#hub-search', with: 'texas' },
      { press: 'Enter' },
      { click: 'a', text: 'is Texas' },
      { at: /\/data\?is\./ },
    ],
    peer: peerFromMemory('Huwise', 3, 'the data set, its tab Table, the field of words'),
  },
  {
    person: 'a journalist',
    task: 'filters a table by a value of one column',
    start: { hub: 'usa', path: `${airports.path}/data` },
    steps: [
      { click: '.table-choices summary', text: 'Filter' },
      { click: '.table-form label', text: 'Alaska' },
      { click: '.table-choices button' },
      { see: '.table-count', text: '263' },
    ],
    peer: peerFromDocumentation(
      'Datasette',
      3,
      'a column, its value, Apply; one click where it is a suggested facet',
    ),
  },
  {
    person: 'a journalist',
    task: 'sorts a table by a column',
    start: { hub: 'usa', path: `${airports.path}/data` },
    steps: [{ click: '.table-sort', text: 'City' }, { at: /sort=/ }],
    peer: peerFromDocumentation('Datasette', 1, 'the head of the column'),
  },
  {
    person: 'a journalist',
    task: 'downloads only the records that were filtered',
    start: { hub: 'usa', path: `${airports.path}/data?is.state=AK` },
    steps: [{ file: 'main a[href*="csv"]', text: 'CSV', has: /^(?:[^\r\n]+\r?\n){200,300}$/ }],
    peer: peerFromDocumentation('Datasette', 1, 'the link CSV over the table'),
  },
  {
    person: 'a journalist',
    task: 'has a sentence to cite the data by',
    start: airports,
    steps: [{ click: '#cite summary' }, { see: '#cite pre', text: 'Airports of the United States' }],
    peer: peerFromMemory('Our World in Data', 2, 'Learn more about this data, How to cite'),
  },
  {
    person: 'a journalist',
    task: 'has the code by which a chart stands in an article',
    start: airports,
    steps: [{ click: '.hub-share summary' }, { see: '.hub-share-panel input[value^="<iframe"]' }],
    peer: peerFromDocumentation('Our World in Data', 2, 'Share, Embed'),
  },
  {
    person: 'a journalist',
    task: 'has a chart as a picture',
    start: story,
    steps: [{ file: 'a.figure-svg', has: /<svg/ }],
    peer: peerFromMemory('Our World in Data', 2, 'Download, Image'),
  },
  {
    person: 'a journalist',
    task: 'compares two states in the chart, side by side',
    start: airports,
    steps: [
      { click: 'figure[data-chart] [data-view="table"]' },
      { see: 'figure[data-chart] table tr', text: 'Texas' },
      { see: 'figure[data-chart] table tr', text: 'California' },
    ],
    peer: peerFromMemory('Our World in Data', 3, 'Edit countries, one, the other'),
  },
]

const analyst: Task[] = [
  {
    person: 'an analyst',
    task: 'downloads everything as Parquet',
    start: airports,
    steps: [{ file: '.downloads a', text: 'Parquet', has: /^PAR1/ }],
    peer: peerFromMemory('Huwise', 2, 'the tab Export, Parquet'),
  },
  {
    person: 'an analyst',
    task: 'has a line of a program that asks for exactly this',
    start: airports,
    steps: [
      { click: 'main a', text: 'Python' },
      { see: 'main code', text: 'import' },
    ],
    peer: peerFromMemory('Huwise', 1, 'the tab API: an address, no program'),
  },
  {
    person: 'an analyst',
    task: 'tries a request without writing a program',
    start: { hub: 'usa', path: `${airports.path}/use` },
    steps: [
      { fill: '[data-console] input[type=text], [data-console] input[type=search]', with: 'international' },
      { click: '[data-console] button', text: 'Send' },
      { see: 'main', text: '"data"' },
    ],
    withoutScripts: [
      { fill: '[data-console] input[type=text], [data-console] input[type=search]', with: 'international' },
      { click: '[data-console] button', text: 'Send' },
      { at: /international/ },
    ],
    peer: peerFromMemory('Huwise', 3, 'the tab API, a field of it, Submit'),
  },
  {
    person: 'an analyst',
    task: 'learns what each field means',
    start: airports,
    steps: [
      { click: 'main a', text: 'What the fields mean' },
      { at: /\/fields$/ },
      { see: 'main table, main dl' },
    ],
    peer: peerFromMemory('Huwise', 1, 'the part "Data set schema" of the tab Information'),
  },
]

const listener: Task[] = [
  {
    person: 'someone who does not see, or reads Arabic on a phone',
    task: 'jumps over the frame by keyboard and is in the text',
    start: { hub: 'usa', path: '/' },
    steps: [{ press: 'Tab' }, { press: 'Enter' }, { at: /#content$/ }],
    peer: peerFromMemory('data.gouv.fr', 0, 'the same, by two keys'),
  },
  {
    person: 'someone who does not see, or reads Arabic on a phone',
    task: 'on a phone: from the first page to a file of the data',
    start: { hub: 'usa', path: '/' },
    look: phone,
    steps: [
      { click: '.hub-menu summary' },
      { click: '.hub-menu-panel a', text: 'Domains Data' },
      { click: 'main a', text: 'Airports of the United States' },
      { file: '.downloads a', text: 'CSV', has: /^[^\r\n]+,[^\r\n]+/ },
    ],
    peer: peerFromMemory('data.gouv.fr', 4, 'menu, Data, the data set, Download'),
  },
  {
    person: 'someone who does not see, or reads Arabic on a phone',
    task: 'has the page of the data in Arabic',
    start: airports,
    look: phone,
    steps: [
      { click: '.hub-menu summary' },
      { click: '.hub-menu-panel a', text: 'العربية' },
      { at: /\/ar\/domains\/airport\/source\/us-airports$/ },
      { see: 'html[dir=rtl] main' },
    ],
    peer: null,
  },
]

/** The tasks of four kinds of people, about five each. Each is done with scripts and without. */
export const tasks: Task[] = [...resident, ...journalist, ...analyst, ...listener]
