import { build } from '../build.ts'
import type { FigureReporter } from '../figures-proof.ts'
import { prove } from './crawl.ts'

/**
 * Checks the promises about a hub whose database is unreachable. Option `sources`: how many, 80 by default;
 * each has some thirty addresses.
 */
export async function crawlSuite(say: FigureReporter, options: Record<string, string>): Promise<void> {
  await build(say.log)
  const sources = Number(options.sources ?? 80)
  const counts = await prove({ sources, stories: Math.ceil(sources / 2), records: 25 }, say.log)
  for (const [what, count] of Object.entries(counts)) say.log(`  ${what}: ${count}`)
  const figure = (name: string) => counts[name] ?? NaN
  say.least('addresses crawled', figure('addresses'), 2000, 'addresses')
  say.most('5xx with the database', figure('broken with the database'), 0, 'answers')
  say.most('5xx with the database gone', figure('broken without the database'), 0, 'answers')
  say.most('live answers refused without a reason', figure('live ones not refused well'), 0, 'answers')
  say.least('the same bytes with the database gone', figure('same bytes, per mille') / 10, 99, '%')
  say.most('statements tried for stored pages', figure('statements tried for stored pages'), 0, 'statements')
  say.most('statements of bots that search', figure('statements of bots'), 0, 'statements')
}
