import { writeFigureReference } from '#functions/shapes/figure-reference.ts'

type Content =
  | { kind: 'text'; settings: { html: string; beside?: true } & Grid }
  | { kind: 'insight'; settings: { insightId: string; caption?: string } & Grid }
  | { kind: 'map'; settings: { insightId: string; caption?: string } & Grid }
  | { kind: 'divider'; settings: Record<string, never> }
interface Grid {
  x?: number
  y?: number
  w?: number
  h?: number
}

export interface SeedPage {
  id: string
  placeId: string
  type: 'storytelling' | 'blank' | 'dashboard'
  title: string
  description: string
  isPublic: boolean
  contents: Content[]
}

const text = (html: string, grid: Grid = {}): Content => ({ kind: 'text', settings: { html, ...grid } })
const insight = (insightId: string, grid: Grid = {}): Content => ({
  kind: 'insight',
  settings: { insightId, ...grid },
})
/** A text that is shown beside the figure above it. */
const step = (html: string): Content => ({ kind: 'text', settings: { html, beside: true } })
const map = (insightId: string): Content => ({ kind: 'map', settings: { insightId } })
/**
 * A number in a text that is read from the answer of an insight whenever the text is shown. `row`: the group
 * it belongs to. The content of the element is never shown.
 */
const figure = (
  insightId: string,
  show: string,
  row: Record<string, string> = {},
  format: { digits?: number; hasUnit?: boolean } = {},
) => {
  const reference = { insightId, show, row, digits: format.digits ?? null, hasUnit: format.hasUnit ?? true }
  return `<data value="${writeFigureReference(reference).replaceAll('&', '&amp;')}">…</data>`
}
/** The precipitation of a month over the four years. */
export const rainIn = (month: number) =>
  figure('seattle-rain-by-month', 'precipitation', { month: String(month) }, { digits: 0 })
const renderDays = (weather: string) => figure('seattle-days', 'days', { weather })
const strikesIn = (state: string) => figure('us-strikes-map', 'strikes', { state })
const divider: Content = { kind: 'divider', settings: {} }

/** The demo's pages. Numbers in their texts come from insights, so they change with the records. */
export const pages: SeedPage[] = [
  {
    id: 'seattle-rain',
    placeId: 'seattle-wa',
    type: 'storytelling',
    title: 'Does it really rain that much in Seattle?',
    description: 'Four years of weather records, read month by month.',
    isPublic: true,
    contents: [
      text(`<p>Seattle is known for its rain. A weather station recorded every day from 2012 to 2015, and its records show that the rain keeps to one half of the year.</p>
<h2>A wet half and a dry half</h2><p>Rain and snow are spread unevenly over the year. In the four years together, July brought ${rainIn(7)} and November ${rainIn(11)}.</p>`),
      insight('seattle-rain-by-month'),
      step(
        `<h3>October to March</h3><p>Each of these six months brought more than any of the other six. November alone had ${rainIn(11)} in the four years, December ${rainIn(12)}.</p>`,
      ),
      step(
        `<h3>June to August</h3><p>The summer is dry: June had ${rainIn(6)}, July ${rainIn(7)} and August ${rainIn(8)}. February alone had ${rainIn(2)}.</p>`,
      ),
      step(`<h3>March is as wet as winter</h3><p>March brought ${rainIn(3)}, January ${rainIn(1)}.</p>`),
      text(
        `<h2>As many sunny days as rainy ones</h2><p>The records name one kind of weather for each day. ${renderDays('rain')} days were rainy and ${renderDays('sun')} sunny. Snow was rare: ${renderDays('snow')} days in four years.</p>`,
      ),
      insight('seattle-days'),
      divider,
      text(
        `<h2>Warm summers, mild winters</h2><p>Each point is the mean of a month’s daily high temperatures. The same months are about as warm each year.</p>`,
      ),
      insight('seattle-temperature'),
      text(`<h2>Wind and temperature</h2><p>Each dot is a month. Warm months tend to have less wind.</p>`),
      insight('seattle-wind-and-warmth'),
      text(`<h2>Airports of the state</h2><p>These are the airports and airfields of Washington State.</p>`),
      map('seattle-airfields'),
    ],
  },
  {
    id: 'seattle-records',
    placeId: 'seattle-wa',
    type: 'blank',
    title: 'How to read these records',
    description: 'What was measured, in which units, and what is missing.',
    isPublic: true,
    contents: [
      text(`<p>Each record of <em>Seattle daily weather</em> is one day at one station. Precipitation is in millimetres of water, snow included; temperatures are in degrees Celsius; wind is the mean of the day in metres per second.</p>
<h2>The ten wettest days</h2>`),
      insight('seattle-wettest-days'),
      text(
        '<p>Climate normals are means over thirty years, not measurements of one: use them to say what is usual.</p>',
      ),
      insight('seattle-hours'),
    ],
  },
  {
    id: 'seattle-dashboard',
    placeId: 'seattle-wa',
    type: 'dashboard',
    title: 'Weather at a glance',
    description: 'Rain, temperature and kinds of weather on one screen.',
    isPublic: false,
    contents: [
      insight('seattle-rain-2015', { x: 0, y: 0, w: 4, h: 2 }),
      insight('seattle-temperature', { x: 4, y: 0, w: 8, h: 4 }),
      insight('seattle-rain-by-month', { x: 0, y: 4, w: 6, h: 4 }),
      insight('seattle-days', { x: 6, y: 4, w: 6, h: 4 }),
    ],
  },
  {
    id: 'usa-wildlife',
    placeId: 'usa',
    type: 'storytelling',
    title: 'When birds and aircraft meet',
    description: 'Ten thousand wildlife strikes, and where they were reported.',
    isPublic: true,
    contents: [
      text(`<p>Pilots and airports report collisions of aircraft with animals. This atlas holds ten thousand of these reports, from January 1990 to July 2002.</p>
<h2>Reports by year</h2>`),
      insight('us-strikes-by-year'),
      text(
        `<h2>Texas reports the most</h2><p>${strikesIn('Texas')} of these strikes were reported in Texas and ${strikesIn('California')} in California. A large number can mean many birds, many flights, or careful reporting: the records do not tell which.</p>`,
      ),
      map('us-strikes-map'),
      text(
        `<h2>Airports in every state</h2><p>Alaska has the most airports and airfields of this atlas: ${figure('us-airports-by-state', 'airports', { state: 'AK' })}. Texas has ${figure('us-airports-by-state', 'airports', { state: 'TX' })}.</p>`,
      ),
      insight('us-airports-by-state'),
      map('us-airport-map'),
      text('<h2>How late are the flights?</h2>'),
      insight('us-delays'),
    ],
  },
  {
    id: 'usa-method',
    placeId: 'usa',
    type: 'blank',
    title: 'How this atlas is made',
    description: 'Sources, boundaries and what they cannot tell.',
    isPublic: true,
    contents: [
      text(
        `<p>Every map of this atlas is drawn from records that you can download. The flights are a sample of twenty thousand from January to March 2001: they allow airports to be compared, and do not say how many people fly.</p>`,
      ),
      insight('us-late-airports'),
    ],
  },
  {
    id: 'usa-dashboard',
    placeId: 'usa',
    type: 'dashboard',
    title: 'The atlas at a glance',
    description: 'Airports, flights and strikes on one screen.',
    isPublic: false,
    contents: [
      insight('us-airport-count', { x: 0, y: 0, w: 4, h: 2 }),
      insight('us-strikes-by-year', { x: 4, y: 0, w: 8, h: 4 }),
      insight('us-airports-by-state', { x: 0, y: 4, w: 12, h: 4 }),
    ],
  },
  {
    id: 'world-life',
    placeId: 'world',
    type: 'storytelling',
    title: 'Longer lives, fewer children',
    description: 'Births and life expectancy in sixty-two countries.',
    isPublic: true,
    contents: [
      text(
        '<p>In countries where women have fewer children, people tend to live longer. Each dot is a country in 2005.</p>',
      ),
      insight('world-life-and-children'),
      text('<p>The twelve largest of these countries by population:</p>'),
      insight('world-population'),
      text('<h2>A week of earthquakes</h2>'),
      map('world-quake-map'),
    ],
  },
  {
    id: 'world-quakes',
    placeId: 'world',
    type: 'dashboard',
    title: 'Earthquakes this week',
    description: 'The week up to 7 February 2018.',
    isPublic: false,
    contents: [
      insight('world-strongest', { x: 0, y: 0, w: 4, h: 2 }),
      insight('world-top-quakes', { x: 4, y: 0, w: 8, h: 4 }),
    ],
  },
  {
    id: 'world-notes',
    placeId: 'world',
    type: 'blank',
    title: 'Notes on the disaster records',
    description: 'For the observatory’s own use.',
    isPublic: false,
    contents: [
      text(
        '<p>For the early decades only large disasters are recorded. A rise may come from better reporting.</p>',
      ),
      insight('world-disaster-deaths'),
    ],
  },
]

export const collections: {
  id: string
  placeId: string
  name: string
  notes: string
  insightIds: string[]
  /** A text before the first insight. */
  text?: { id: string; title: string; html: string }
}[] = [
  {
    id: 'seattle-weather-figures',
    placeId: 'seattle-wa',
    name: 'Weather in figures',
    notes: 'Rain, temperature and kinds of weather, 2012 to 2015.',
    insightIds: ['seattle-rain-2015', 'seattle-temperature', 'seattle-rain-by-month', 'seattle-days'],
    text: {
      id: 'seattle-weather-reading',
      title: 'How to read these figures',
      html: '<p><strong>Precipitation</strong> is rain and melted snow together. Days are those of the <em>local</em> calendar.</p>',
    },
  },
  {
    id: 'usa-air-traffic',
    placeId: 'usa',
    name: 'Air traffic',
    notes: 'Airports, delays and wildlife.',
    insightIds: ['us-airport-count', 'us-airports-by-state', 'us-delays', 'us-strikes-map'],
  },
  {
    id: 'world-earth',
    placeId: 'world',
    name: 'A restless earth',
    notes: 'One week of earthquakes.',
    insightIds: ['world-strongest', 'world-quake-map', 'world-top-quakes'],
  },
]
