import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { load } from '#app/server/load.server.ts'
import { licenceUrl } from '#functions/shapes/licences.ts'
import {
  articleThing,
  catalogueThing,
  datasetThing,
  type Thing,
} from '#functions/engine/catalogue/schema-org.ts'
import { v1 } from '#functions/v1/index.ts'
import { dataset, datasets, hubFacts, hubOrigin, toStoryFacts } from './facts.server.ts'

/** The structured data of a page. `licence`: the URL of its data's licence, null if unknown. */
interface DescribedThing {
  thing: Thing
  licence: string | null
}

/** A hub's home page: a data catalogue. */
export async function describeHome(args: LoaderFunctionArgs): Promise<DescribedThing> {
  return { thing: catalogueThing(await hubFacts(args, await datasets(args))), licence: null }
}

/** The page of a source: a dataset. */
export async function describeSource(args: LoaderFunctionArgs): Promise<DescribedThing> {
  const [hub, facts] = await Promise.all([hubFacts(args), dataset(args)])
  return { thing: datasetThing(hub, facts), licence: licenceUrl(facts.licence, facts.licenceUrl) }
}

/** A story: an article. Null in the workspace, where it is previewed before publishing. */
export async function describeStory(args: LoaderFunctionArgs): Promise<DescribedThing | null> {
  const { ctx } = args.context
  if (ctx.site.mode !== 'hub') return null
  const [hub, { page }] = await Promise.all([
    hubFacts(args),
    load(args, { page: { endpoint: v1.place.page.findById, options: { includes: 'contents' } } }),
  ])
  return { thing: articleThing(hub, toStoryFacts(hubOrigin(ctx), page)), licence: null }
}
