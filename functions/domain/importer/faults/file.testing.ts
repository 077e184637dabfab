import type { Tree } from '../job/testing.ts'
import type { Random } from '#functions/engine/query/differential/random.testing.ts'

/** A row that must be rejected, and where that must be reported. */
interface ExpectedReject {
  /** From 1 over the file. */
  row: number
  /** The line where it begins, from 1. */
  line: number
  field: string | null
  says: RegExp
  /** The id of its record as far as it is readable; null: it is not. */
  id: string | null
}

/** A generated file with its expected outcome. */
export interface TruthFile {
  text: string
  read: number
  good: Tree[]
  rejectedRows: ExpectedReject[]
}

/** Texts that break what splits, trims or guesses. */
const texts = [
  'oak',
  'elm, red',
  'say "ash"',
  'two\nlines',
  '00042',
  'N/A',
  'Ünï 🌳',
  '=1+1',
  "o'ak; drop",
  'a\tb',
]

/** Invalid rows: the cells of id and height, the field of the issue and its message. */
const poisons: { id?: string; height?: string; more?: string; field: string | null; says: RegExp }[] = [
  { height: 'tall', field: 'height', says: /^Not a number/ },
  { height: '-3', field: 'height', says: /Minimum/ },
  { height: '1e999', field: 'height', says: /Too large/ },
  { height: '12.345678901234567890', field: 'height', says: /More digits/ },
  { id: '', field: 'id', says: /./ },
  { id: 'x'.repeat(600), field: 'id', says: /513/ },
  { more: ',cell', field: 'column_4', says: /./ },
]

const quoted = (text: string) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)

/**
 * A CSV of some rows: about one in fifty rejected, each for one of several reasons, some duplicate ids, texts with line
 * breaks, some empty rows.
 */
export function truthFile(random: Random, count: number, from = 0): TruthFile {
  const file: TruthFile = { text: 'id,species,height\n', read: 0, good: [], rejectedRows: [] }
  const parts = [file.text]
  let line = 2
  for (let row = 1; row <= count; row += 1) {
    if (random.chance(0.004)) {
      parts.push(',,\n')
      line += 1
      continue
    }
    const id = `t${random.chance(0.02) ? from + random.below(row) : from + row}`
    const tree: Tree = { id, species: random.pick(texts), height: random.below(400) / 8 }
    const poison = random.chance(0.02) ? random.pick(poisons) : null
    file.read += 1
    // A row with the wrong number of cells is parsed again from its second line, in case a quote was left open.
    const species = poison?.more === undefined ? tree.species : 'oak'
    const cells = [poison?.id ?? id, quoted(species), poison?.height ?? String(tree.height)]
    const text = `${cells.join(',')}${poison?.more ?? ''}\n`
    if (poison) {
      const { field, says } = poison
      const isKnown = poison.id === undefined && poison.more === undefined
      file.rejectedRows.push({ row, line, field, says, id: isKnown ? id : null })
    } else file.good.push(tree)
    parts.push(text)
    line += text.split('\n').length - 1
  }
  file.text = parts.join('')
  return file
}
