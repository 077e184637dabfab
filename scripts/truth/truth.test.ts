import { expect, test } from 'vitest'
import { isCrossSection, isFullRun, writeMeasurements } from '#functions/v1/testing/figures.testing.ts'
import { compareAnswer } from './oracle-answer.ts'
import { checkSentence } from './oracle-rules.ts'
import { buildFalseSentences, liesOfAnswer } from './false-statements.ts'
import { languages } from './product.ts'
import { storeFalseStatements, formatFalseStatement, runWorlds, type AnsweredQuestion } from './run.ts'

/**
 * `TRUTH_SEED=7 TRUTH_FIGURES=10000 npx vitest run scripts/truth/truth.test.ts` generates other worlds, or
 * more of them.
 */
const seed = Number(process.env.TRUTH_SEED ?? 100)
const figures = Number(process.env.TRUTH_FIGURES ?? (isCrossSection ? 100 : 200))
/** Checking false statements is slower: only for the first figures. */
const liars = Number(process.env.TRUTH_LIARS ?? (isFullRun ? 1000 : isCrossSection ? 20 : 100))

const lies: Record<string, number> = {}
const survivors: string[] = []

/** Derives false statements about a figure: each must be detected. */
function checkFalseStatements({ query, reading, figure }: AnsweredQuestion): void {
  const truth = { columns: figure.columns, groups: figure.groups }
  const count = (is: string, isFound: boolean, what: string) => {
    lies[is] = (lies[is] ?? 0) + 1
    if (!isFound) survivors.push(`${is}: ${what}`)
  }
  const isTrue = compareAnswer(reading.answer, truth, query.question, figure.zone).findings.length === 0
  for (const { is, answer } of isTrue ? liesOfAnswer(reading.answer, figure) : [])
    count(
      `answer: ${is}`,
      compareAnswer(answer, truth, query.question, figure.zone).findings.length > 0,
      `${JSON.stringify(answer).slice(0, 600)} to ${JSON.stringify(query.question)}`,
    )
  for (const language of languages) {
    const judged = checkSentence(reading.sentences[language], language, figure)
    if (judged.findings.length > 0) continue
    for (const { is, sentence } of buildFalseSentences(judged))
      count(
        `sentence: ${is}`,
        checkSentence(sentence, language, figure).findings.length > 0,
        `${sentence} instead of ${reading.sentences[language]} (${language}, ${figure.type})`,
      )
  }
}

test(
  `${figures} figures of generated files, with the seed ${seed}, match the files, and false statements about them are found`,
  { timeout: 7_200_000 },
  async () => {
    const startMs = performance.now()
    let figureCount = 0
    const run = await runWorlds({ seed, figures }, console.log, (figure) => {
      if ((figureCount += 1) <= liars) checkFalseStatements(figure)
    })
    const { untruths, openViolations, ruleCounts, ...counts } = run
    writeMeasurements('truth', {
      ...{ seed, 'figures asked for': figures, ...counts },
      seconds: Math.round((performance.now() - startMs) / 1000),
      ...Object.fromEntries(Object.entries(ruleCounts).map(([rule, count]) => [`broken: ${rule}`, count])),
      'untrue figures and sentences': untruths.length,
      lies: Object.values(lies).reduce((sum, count) => sum + count, 0),
      'lies that were believed': survivors.length,
    })
    storeFalseStatements('worlds', untruths)
    storeFalseStatements('open', openViolations)
    storeFalseStatements('believed', survivors)
    expect(untruths.slice(0, 10).map(formatFalseStatement)).toEqual([])
    expect(survivors.slice(0, 10)).toEqual([])
    // Without records, or with only complete answers, the test would prove nothing.
    expect(counts.cut).toBeGreaterThan(figures / 20)
    expect(counts.records).toBeGreaterThan(counts.worlds * 20)
    for (const is of Object.keys(lies)) expect(lies[is], is).toBeGreaterThan(0)
  },
)
