import { Parser } from 'htmlparser2'

/** A table outside of a figure. */
export interface PageTable {
  columns: string[]
  rows: string[][]
  caption: string
}

/** A figure of a hub page as delivered without scripts. */
export interface PageFigure extends PageTable {
  title: string
  sentence: string
  csvHref: string | null
  /** The link to the live map, for a map. */
  mapHref: string | null
  /** The file of its drawing, if that is separate. */
  drawingHref: string | null
  /** The labels of the shapes of a drawing in the page: "Texas: 1,495". */
  marks: string[]
  /** The number of circles of a drawing in the page. */
  circles: number
  note: string
}

/** A layer of a map, as labelled in its switch. */
interface PageSwitch {
  /** `values`, `names`, or `layer-1` and so on. */
  key: string
  name: string
  count: string
}

/** A large number with its label. */
interface PageNumber {
  label: string
  value: string
}

/** The parts of a hub page that are checked. */
export interface HubPage {
  tables: PageTable[]
  /** All text of the page. */
  text: string
  lang: string
  heading: string
  links: string[]
  figures: PageFigure[]
  numbers: PageNumber[]
  switches: PageSwitch[]
  /** The number of records and their period, as stated on the page of a source. */
  extent: string
  /** The sentence below the heading, if it states a figure. */
  lede: string
}

/** The part of a page that a text belongs to, by the class or the name of its element. */
const partByClass: Record<string, string> = {
  'figure-title': 'title',
  'figure-sentence': 'sentence',
  // Sizes of circles in a legend are example values, not counts.
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

/** Parses a page of a hub. */
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
      // Symbols in legends are not inside a group.
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
        classes.map((each) => partByClass[each]).find(Boolean) ??
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
