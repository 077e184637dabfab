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
/** A text that is read beside the figure above it. */
const step = (html: string): Content => ({ kind: 'text', settings: { html, beside: true } })
const map = (insightId: string): Content => ({ kind: 'map', settings: { insightId } })
const divider: Content = { kind: 'divider', settings: {} }

/** The demo's pages. Every figure named in a text was computed from the records beside it. */
export const pages: SeedPage[] = [
  {
    id: 'seattle-rain',
    placeId: 'seattle-wa',
    type: 'storytelling',
    title: 'Does it really rain that much in Seattle?',
    description: 'Four years of weather records, read month by month.',
    isPublic: true,
    contents: [
      text(`<p>Seattle has a name for rain. Its weather station kept a record of every day from 2012 to 2015, and the record is more interesting than the name.</p>
<h2>A wet half and a dry half</h2><p>What falls in a year is not spread over it. July brings about 12 millimetres, November 161: the rainy city has one of the driest summers of the country.</p>`),
      insight('seattle-rain-by-month'),
      step(
        '<h3>October to March</h3><p>Of the 1,106 millimetres of a year, 74 percent fall in these six months.</p>',
      ),
      step(
        '<h3>June to August</h3><p>Three months bring 8 percent: about 86 millimetres, less than February alone.</p>',
      ),
      step(
        '<h3>March keeps up with winter</h3><p>The wettest day of the record, 15 March 2015 with 55.9 millimetres, fell in spring.</p>',
      ),
      text(
        `<h2>Rain on fewer days than one thinks</h2><p>Of 1,461 days, 641 were rainy and 640 sunny. Snow stayed rare: 26 days in four years.</p>`,
      ),
      insight('seattle-days'),
      divider,
      text(
        `<h2>Summers come back like clockwork</h2><p>The mean of a month’s daily highs swings from 8 degrees in December and January to 26 in July and August. The hottest day of the record was 11 August 2014, with 35.6 °C.</p>`,
      ),
      insight('seattle-temperature'),
      text(
        `<h2>Wind belongs to winter</h2><p>Each dot is a month. Where the days are warm, the air is calmer.</p>`,
      ),
      insight('seattle-wind-and-warmth'),
      text(
        `<h2>Where pilots look at the sky</h2><p>Weather is a trade matter at the airports and airfields of the state.</p>`,
      ),
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
    description: 'The figures the team looks at on Monday.',
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
      text(`<p>Pilots and airports have reported collisions with animals for decades. This atlas holds ten thousand of those reports, from 1990 to 2002.</p>
<h2>Reports by year</h2>`),
      insight('us-strikes-by-year'),
      text(
        `<h2>Texas reports the most</h2><p>Of the ten thousand strikes, 1,495 were reported in Texas and 890 in California. A large number can mean many birds, many flights, or much care in reporting.</p>`,
      ),
      map('us-strikes-map'),
      text(
        `<h2>Airports everywhere</h2><p>There are airfields in every state; Alaska alone has 263 of those in this atlas.</p>`,
      ),
      insight('us-airports-by-state'),
      map('us-airport-map'),
      text('<h2>And how punctual are the flights?</h2>'),
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
        `<p>Every map of this atlas is drawn from records that you can download. Flights are a sample of twenty thousand; they say how airports compare, not how many people fly.</p>`,
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
    description: 'What sixty-two countries have in common.',
    isPublic: true,
    contents: [
      text('<p>Where families have fewer children, people live longer. Each dot is a country in 2005.</p>'),
      insight('world-life-and-children'),
      text('<p>The largest countries decide what the average person lives through.</p>'),
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
        '<p>Deaths of early decades are known for large disasters only: a rise may be better reporting.</p>',
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
  /** Stands before the first insight. */
  text?: { id: string; title: string; html: string }
}[] = [
  {
    id: 'seattle-weather-figures',
    placeId: 'seattle-wa',
    name: 'Weather in figures',
    notes: 'What people ask most about the city’s weather.',
    insightIds: ['seattle-rain-2015', 'seattle-temperature', 'seattle-rain-by-month', 'seattle-days'],
    text: {
      id: 'seattle-weather-reading',
      title: 'How to read these figures',
      html: '<p>Each day is measured at the airport, south of the city. <strong>Rain</strong> is what fell in all, as water; days are those of the <em>local</em> calendar.</p>',
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
