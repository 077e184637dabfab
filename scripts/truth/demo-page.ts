import { Parser } from 'htmlparser2'

/** A table that stands by itself. */
export interface PageTable {
  columns: string[]
  rows: string[][]
  caption: string
}

/** A figure of a hub page as a reader without scripts gets it. */
export interface PageFigure extends PageTable {
  title: string
  sentence: string
  csvHref: string | null
  /** What makes it live, for a map. */
  mapHref: string | null
  /** The file of its drawing, where it has one. */
  drawingHref: string | null
  /** What the shapes of a drawing in the page say: "Texas: 1,495". */
  marks: string[]
  /** How many circles a drawing in the page has. */
  circles: number
  note: string
}

/** A layer of a map, as its switch calls it. */
interface PageSwitch {
  /** `values`, `names`, or `layer-1` and so on. */
  key: string
  name: string
  count: string
}

/** One number large, with what it is called. */
interface PageNumber {
  label: string
  value: string
}

/** What of a hub page can be checked. */
export interface HubPage {
  tables: PageTable[]
  /** All that is written on it. */
  text: string
  lang: string
  heading: string
  links: string[]
  figures: PageFigure[]
  numbers: PageNumber[]
  switches: PageSwitch[]
  /** What the page of a source says of how many records it has, and of which time. */
  extent: string
  /** The sentence below the heading, where it is one of a figure. */
  lede: string
}

/** Which part of a page a text is in, by the class or the name of its element. */
const partOf: Record<string, string> = {
  'figure-title': 'title',
  'figure-sentence': 'sentence',
  // Sizes of circles are chosen to be read, and are no counts.
  legend: 'legend',
  'number-label': 'label',
  'number-value': 'value',
  'source-extent': 'extent',
  lede: 'lede',
  'figure-note': 'note',
}
const partOfName: Record<string, string> = {
  ...{ h1: 'heading', th: 'th', td: 'td', caption: 'caption' },
  label: 'switch',
}

/** Reads a page of a hub. */
export function readPage(html: string): HubPage {
  const page: HubPage = {
    ...{
      lang: '',
      heading: '',
      links: [],
      figures: [],
      numbers: [],
      switches: [],
      tables: [],
      extent: '',
      lede: '',
      text: '',
    },
  }
  const open: { name: string; part: string | undefined }[] = []
  let figure: PageFigure | undefined
  let table: PageTable | undefined
  let text = ''
  const add = (part: string, sentence: string) => {
    if (part === 'heading') page.heading ||= sentence
    else if (part === 'extent') page.extent = sentence
    else if (part === 'lede') page.lede = sentence
    else if (part === 'label') page.numbers.push({ label: sentence, value: '' })
    else if (part === 'value') {
      const last = page.numbers.at(-1)
      if (last) last.value = sentence
    } else if (part === 'title' && figure) figure.title = sentence
    else if (part === 'sentence' && figure) figure.sentence = sentence
    else if (part === 'note' && figure) figure.note = sentence
    else if (part === 'mark') figure?.marks.push(sentence)
    else if (part === 'count' || part === 'switch') {
      const last = page.switches.at(-1)
      if (last && part === 'count') last.count = sentence
      else if (last) last.name ||= sentence
    } else if (part === 'caption' && table) table.caption = sentence
    else if (part === 'th') table?.columns.push(sentence)
    else if (part === 'td') table?.rows.at(-1)?.push(sentence)
  }
  const parser = new Parser({
    onopentag(name, attributes) {
      const classes = (attributes.class ?? '').split(' ')
      if (name === 'html') page.lang = attributes.lang ?? ''
      if (name === 'a' && attributes.href !== undefined) page.links.push(attributes.href)
      if (name === 'figure' && classes.includes('figure')) {
        figure = {
          ...{ title: '', sentence: '', columns: [], rows: [], caption: '', csvHref: null },
          ...{ mapHref: attributes['data-map-href'] ?? null, drawingHref: null },
          ...{ marks: [], circles: 0, note: '' },
        }
        page.figures.push(figure)
      }
      if (name === 'a' && figure && classes.includes('figure-csv')) figure.csvHref = attributes.href ?? null
      if (name === 'use' && figure) figure.drawingHref ??= attributes['data-href']?.split('#')[0] ?? null
      // Signs of legends are in no group.
      if (name === 'circle' && figure && open.some((one) => one.name === 'g')) figure.circles += 1
      if (name === 'input' && attributes['data-map-switch'] !== undefined)
        page.switches.push({ key: attributes['data-map-switch'], name: '', count: '' })
      if (name === 'table') {
        table = figure ?? { columns: [], rows: [], caption: '' }
        if (!figure) page.tables.push(table)
      }
      if (name === 'tr' && open.some((one) => one.name === 'tbody')) table?.rows.push([])
      const isMark = figure !== undefined && name === 'title' && attributes.id === undefined
      const isTitle = figure && figure.title === '' && open.at(-1)?.name === 'figcaption'
      const part =
        classes.map((each) => partOf[each]).find(Boolean) ??
        (classes.includes('map-value') && open.some((one) => one.name === 'label') ? 'count' : undefined) ??
        (isTitle && classes.includes('sr-only') ? 'title' : isMark ? 'mark' : partOfName[name])
      // The name of a switch ends where its count begins.
      if (part === 'count') add('switch', text.trim())
      if (part !== undefined) text = ''
      open.push({ name, part })
    },
    ontext(chunkText) {
      text += chunkText
      if (!open.some(({ name, part }) => name === 'script' || name === 'style' || part === 'legend'))
        page.text += ` ${chunkText}`
    },
    onclosetag(name) {
      const closed = open.pop()
      if (closed?.part !== undefined) add(closed.part, text.trim())
      if (name === 'figure') figure = undefined
      if (name === 'table') table = undefined
    },
  })
  parser.end(html)
  return page
}
