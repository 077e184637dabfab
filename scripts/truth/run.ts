import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compareAnswer, type Finding } from './oracle-answer.ts'
import { openOracle, type Oracle } from './oracle.ts'
import type { Figure } from './oracle-meaning.ts'
import { gist, checkSentence, rules } from './oracle-rules.ts'
import { languages, openProduct, type Product, type FigureReading } from './product.ts'
import { generateWorld, type FigureQuery, type World } from './worlds.ts'

/** A false statement of the product, with everything needed to reproduce it. */
interface FalseStatement extends Finding {
  seed: number
  world: string
  /** The sentence or the answer. */
  statement: string
  figure: FigureQuery
}

interface Run {
  worlds: number
  records: number
  figures: number
  sentences: number
  /** The number of answers that were cut off by a limit. */
  cut: number
  /** How often each rule was broken. */
  ruleCounts: Record<string, number>
  /** Violations of rules that must hold. */
  untruths: FalseStatement[]
  /** Violations of the other rules. */
  openViolations: FalseStatement[]
}

/** Formats a false statement in one line. */
export const formatFalseStatement = ({
  rule,
  why,
  statement,
  seed,
}: Pick<FalseStatement, 'rule' | 'why' | 'statement' | 'seed'>): string =>
  `${rule}: “${statement.slice(0, 300)}”: ${why} (world ${seed})`

/** Stores false statements completely, for debugging. */
export function storeFalseStatements(name: string, untruths: readonly (object | string)[]): void {
  mkdirSync('.cache/truth', { recursive: true })
  writeFileSync(`.cache/truth/${name}.json`, JSON.stringify(untruths, null, 2))
}

/** A question that was asked, with the correct answer from the file. */
export interface AnsweredQuestion {
  world: World
  query: FigureQuery
  reading: FigureReading
  figure: Figure
}

/** The number of questions per world. */
const figuresOfWorld = 25

const open = new Set(rules.filter(({ expected }) => expected === 'open').map(({ is }) => is))

/**
 * Has the product import generated files and answer so many questions, and compares every answer and sentence
 * with the files. `visitFigure` is called with each figure as well.
 */
export async function runWorlds(
  { seed, figures }: { seed: number; figures: number },
  log: (line: string) => void,
  visitFigure: (figure: AnsweredQuestion) => void = () => undefined,
): Promise<Run> {
  const run: Run = {
    worlds: 0,
    records: 0,
    figures: 0,
    sentences: 0,
    cut: 0,
    ruleCounts: {},
    untruths: [],
    openViolations: [],
  }
  const folder = mkdtempSync(join(tmpdir(), 'truth-'))
  const oracle = await openOracle()
  const product = await openProduct()
  try {
    for (let at = seed; run.figures < figures; at += 1) {
      const world = generateWorld(at, Math.min(figuresOfWorld, figures - run.figures))
      await runWorld(world, { run, folder, oracle, product, visitFigure })
      if (run.worlds % 20 === 0)
        log(`  ${run.figures} of ${figures} figures, ${run.untruths.length} untruths`)
    }
  } finally {
    oracle.close()
    await product.close()
    rmSync(folder, { recursive: true })
  }
  return run
}

interface Bench {
  run: Run
  folder: string
  oracle: Oracle
  product: Product
  visitFigure(figure: AnsweredQuestion): void
}

async function runWorld(world: World, { run, folder, oracle, product, visitFigure }: Bench) {
  const find = (figure: FigureQuery, sentence: string, findings: Finding[]) => {
    for (const finding of findings) {
      run.ruleCounts[finding.rule] = (run.ruleCounts[finding.rule] ?? 0) + 1
      const falseStatements = open.has(finding.rule) ? run.openViolations : run.untruths
      falseStatements.push({ ...finding, seed: world.seed, world: world.is, statement: sentence, figure })
    }
  }
  const file = join(folder, 'source.csv')
  writeFileSync(file, world.csv)
  const came = await product.importWorld(world)
  await oracle.load('source', file, world.fields)
  const records = await oracle.count('source')
  const list: FigureQuery = {
    title: 'All records',
    question: { aggregations: [] },
    visualization: { type: 'table' },
  }
  if (came !== records) find(list, `${came} records`, [{ rule: 'records', why: `the file has ${records}` }])
  run.worlds += 1
  run.records += records
  const coverage = Object.fromEntries(
    await Promise.all(
      Object.entries(world.fields)
        .filter(([, { kind }]) => kind === 'instant' || kind === 'calendar')
        .map(async ([key]) => [key, await oracle.coverage('source', world.fields, key, world.zone)] as const),
    ),
  )
  for (const query of world.figures) {
    const reading = await product.ask(world, query)
    const { columns, groups } = await oracle.answer('source', world.fields, query.question, world.zone)
    const { findings, visibleGroups: answered } = compareAnswer(
      reading.answer,
      { columns, groups },
      query.question,
      world.zone,
    )
    find(query, JSON.stringify(reading.answer).slice(0, 2000), findings)
    const figure: Figure = {
      ...{ title: query.title, type: query.visualization.type, settings: query.visualization.settings ?? {} },
      ...{ question: query.question, columns, visibleGroups: answered, groups, zone: world.zone, coverage },
    }
    const findingsByLanguage = languages.map((language) =>
      checkSentence(reading.sentences[language], language, figure),
    )
    for (const [i, language] of languages.entries())
      find(query, reading.sentences[language], findingsByLanguage[i]?.findings ?? [])
    const gists = new Set(findingsByLanguage.map(gist))
    if (gists.size > 1)
      find(query, Object.values(reading.sentences).join('\n'), [
        { rule: 'languages', why: 'the languages do not say the same' },
      ])
    run.figures += 1
    run.sentences += languages.length
    if (answered.length < groups.length) run.cut += 1
    if (run.figures % 10 === 0) {
      const saved = await product.askSaved(world, query)
      if (saved.summary !== reading.sentences.en || saved.rows !== reading.answer.results.length)
        find(query, saved.summary, [{ rule: 'files', why: `the answer is told as ${reading.sentences.en}` }])
    }
    visitFigure({ world, query, reading, figure })
  }
  await oracle.drop('source')
}
