import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { isKept, type Line } from './measure.ts'

/** The report of a run: the machine, the server, and every measured line. */
interface Report {
  at: string
  node: string
  postgres: string
  cpu: string
  cores: number
  memoryGb: number
  lines: Line[]
}

/** Describes this machine; times of two machines must not be compared, ratios may. */
export function buildReport(lines: Line[], postgres: string): Report {
  const [first] = cpus()
  return {
    at: new Date().toISOString(),
    node: process.version,
    postgres,
    cpu: first?.model ?? '',
    cores: cpus().length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    lines,
  }
}

/** Writes `{folder}/bench.json` and `{folder}/bench.md`; returns the Markdown. */
export function write(report: Report, folder: string): string {
  mkdirSync(folder, { recursive: true })
  const text = markdown(report)
  writeFileSync(`${folder}/bench.json`, `${JSON.stringify(report, null, 2)}\n`)
  writeFileSync(`${folder}/bench.md`, text)
  return text
}

/** Formats the table as Markdown. Times are medians of runs in turns; ratios are what counts. */
function markdown({ at, node, postgres, cpu, cores, memoryGb, lines }: Report): string {
  const head = ['area', 'work', 'rows', 'ours', 'against', 'theirs', 'ratio', 'goal', '']
  const body = lines.map((each) => [
    each.area,
    each.work,
    each.rows === null ? '' : each.rows.toLocaleString('en'),
    figure(each.ours, each.unit),
    each.peer,
    figure(each.theirs, each.unit),
    each.ratio.toPrecision(2),
    each.goal ? `${each.goal.is === 'most' ? '≤' : '≥'} ${each.goal.bound}` : '',
    [mark(each), each.note].filter(Boolean).join(' '),
  ])
  const row = (cells: string[]) => `| ${cells.join(' | ')} |`
  return [
    `Measured ${at} with Node ${node} and Postgres ${postgres} on ${cores} × ${cpu}, ${memoryGb} GB. Medians of runs in turns; read the ratios.`,
    '',
    row(head),
    row(head.map(() => '---')),
    ...body.map(row),
    '',
  ].join('\n')
}

function mark(each: Line): string {
  const isWithin = isKept(each)
  return isWithin === null ? '' : isWithin ? '✓' : '✗'
}

function figure(value: number, unit: Line['unit']): string {
  const digits = value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(2)
  return `${digits} ${unit}`
}
