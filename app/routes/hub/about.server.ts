import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { AboutPageProps } from './about-page.tsx'
import { hubTexts } from '#app/components/hub/texts.ts'
import { datasets } from '#app/server/hub-facts/facts.server.ts'
import { getPageLanguage } from '#app/server/page-language.server.ts'
import { licenceUrl } from '#functions/shapes/licences.ts'

/** The licences of a hub's public sources, the most frequent first, and the number of sources without one. */
export async function licencesIn(args: LoaderFunctionArgs): Promise<AboutPageProps['licences']> {
  const w = hubTexts(getPageLanguage(args.context.ctx))
  const used = new Map<string, number>()
  let without = 0
  for (const { licence } of await datasets(args)) {
    const name = licence?.trim()
    if (name) used.set(name, (used.get(name) ?? 0) + 1)
    else without += 1
  }
  const names = [...used]
    .sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1))
    .map(([name, sources]) => {
      const href = licenceUrl(name)
      return { name, ...(href && { href }), sources: w.indicators(sources) }
    })
  return { names, without }
}
