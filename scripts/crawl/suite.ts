import { build } from '../build.ts'
import type { FigureReporter } from '../figures-proof.ts'
import { prove } from './crawl.ts'

/**
 * Checks the promises about a hub whose database is unreachable. Option `sources`: how many, 80 by default;
 * each has some thirty addresses.
 */
export async function crawlSuite(reporter: FigureReporter, options: Record<string, string>): Promise<void> {
  await build(reporter.log)
  const sources = Number(options.sources ?? 80)
  const counts = await prove({ sources, stories: Math.ceil(sources / 2), records: 25 }, reporter.log)
  for (const [what, count] of Object.entries(counts)) reporter.log(`  ${what}: ${count}`)
  const figure = (name: string) => counts[name] ?? NaN
  reporter.least('addresses crawled', figure('addresses'), 2000, 'addresses')
  reporter.most('5xx with the database', figure('broken with the database'), 0, 'answers')
  reporter.most('5xx with the database gone', figure('broken without the database'), 0, 'answers')
  reporter.most('live answers refused without a reason', figure('live ones not refused well'), 0, 'answers')
  reporter.least('the same bytes with the database gone', figure('same bytes, per mille') / 10, 99, '%')
  reporter.most(
    'statements tried for stored pages',
    figure('statements tried for stored pages'),
    0,
    'statements',
  )
  reporter.most('statements of bots that search', figure('statements of bots'), 0, 'statements')
}
