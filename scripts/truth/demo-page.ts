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
}

/** One number large, with what it is called. */
export interface PageNumber {
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
  /** What the page of a source says of how many records it has, and of which time. */
  extent: string
  /** The sentence below the heading, where it is one of a figure. */
  lede: string
}

/** Which part of a page a text is in, by the class or the name of its element. */
const partOf: Record<string, string> = {
  'figure-title': 'title',
  'figure-sentence': 'sentence',
  'number-label': 'label',
  'number-value': 'value',
  'source-extent': 'extent',
  lede: 'lede',
}
const partOfName: Record<string, string> = { h1: 'heading', th: 'th', td: 'td', caption: 'caption' }

/** Reads a page of a hub. */
export function readPage(html: string): HubPage {
  const page: HubPage = {
    ...{
      lang: '',
      heading: '',
      links: [],
      figures: [],
      numbers: [],
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
  const put = (part: string, said: string) => {
    if (part === 'heading') page.heading ||= said
    else if (part === 'extent') page.extent = said
    else if (part === 'lede') page.lede = said
    else if (part === 'label') page.numbers.push({ label: said, value: '' })
    else if (part === 'value') {
      const last = page.numbers.at(-1)
      if (last) last.value = said
    } else if (part === 'title' && figure) figure.title = said
    else if (part === 'sentence' && figure) figure.sentence = said
    else if (part === 'caption' && table) table.caption = said
    else if (part === 'th') table?.columns.push(said)
    else if (part === 'td') table?.rows.at(-1)?.push(said)
  }
  const parser = new Parser({
    onopentag(name, attributes) {
      const classes = (attributes.class ?? '').split(' ')
      if (name === 'html') page.lang = attributes.lang ?? ''
      if (name === 'a' && attributes.href !== undefined) page.links.push(attributes.href)
      if (name === 'figure' && classes.includes('figure')) {
        figure = { title: '', sentence: '', columns: [], rows: [], caption: '', csvHref: null }
        page.figures.push(figure)
      }
      if (name === 'a' && figure && classes.includes('figure-csv')) figure.csvHref = attributes.href ?? null
      if (name === 'table') {
        table = figure ?? { columns: [], rows: [], caption: '' }
        if (!figure) page.tables.push(table)
      }
      if (name === 'tr' && open.some((one) => one.name === 'tbody')) table?.rows.push([])
      const isTitle = figure && figure.title === '' && open.at(-1)?.name === 'figcaption'
      const part =
        classes.map((each) => partOf[each]).find(Boolean) ??
        (isTitle && classes.includes('sr-only') ? 'title' : partOfName[name])
      if (part !== undefined) text = ''
      open.push({ name, part })
    },
    ontext(said) {
      text += said
      if (!open.some(({ name }) => name === 'script' || name === 'style')) page.text += ` ${said}`
    },
    onclosetag(name) {
      const closed = open.pop()
      if (closed?.part !== undefined) put(closed.part, text.trim())
      if (name === 'figure') figure = undefined
      if (name === 'table') table = undefined
    },
  })
  parser.end(html)
  return page
}
