import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { CatalogueGroupProps } from './catalogue-group.tsx'
import type { TopicsIndexProps } from './topics-index.tsx'
import { hubTexts } from '#app/components/hub/texts.ts'
import {
  catalogueEntries,
  entriesByDomain,
  hubTopics,
  listSources,
  buildSortOrders,
  type CatalogueEntry,
} from '#app/server/hub-catalogue.server.ts'
import { load, toErrorResponse } from '#app/server/load.server.ts'
import { getPageLanguage, hubPathBuilder } from '#app/server/page-language.server.ts'
import { storySummaries } from '#app/server/hub-stories.server.ts'
import { Failure } from '#functions/errors.ts'
import { slugPath, topicsPath } from '#functions/shapes/topic.ts'
import { v1 } from '#functions/v1/index.ts'

/** Maximum numbers of sources, domains and stories on such a page; the search has all. */
const [mostSources, mostDomains, mostStories] = [100, 12, 6]

/** The topics of the hub. */
export async function topicsIndex(args: LoaderFunctionArgs): Promise<TopicsIndexProps> {
  const to = hubPathBuilder(args.context.ctx)
  const topics = await hubTopics(args)
  return {
    topics: topics.map(({ name, slug, rows }) => ({ name, href: to(slugPath(slug)), count: rows.length })),
    locale: getPageLanguage(args.context.ctx),
  }
}

/** A topic with its sources by name; throws the Response for the error boundary if the hub has no such topic. */
export async function topicPage(args: LoaderFunctionArgs): Promise<CatalogueGroupProps> {
  const { ctx } = args.context
  const topic = (await hubTopics(args)).find(({ slug }) => slug === args.params.topic)
  if (!topic) throw toErrorResponse(new Failure('notFound'), args)
  const { name, rows } = topic
  const domains = [...new Set(rows.map(({ domain }) => domain.name))]
  return {
    ...(await loadCatalogueGroup(args, rows, { topic: name })),
    title: name,
    crumbs: [{ label: hubTexts(getPageLanguage(ctx)).topics, href: hubPathBuilder(ctx)(topicsPath) }],
    domains: domains.length > mostDomains ? [] : domains,
  }
}

/** A domain with its sources by name; throws the Response for the error boundary without public ones. */
export async function domainPage(args: LoaderFunctionArgs): Promise<CatalogueGroupProps> {
  const { ctx } = args.context
  const rows = entriesByDomain(await catalogueEntries(args)).get(args.params.dataTypeId ?? '')
  const [first] = rows ?? []
  if (!rows || !first) throw toErrorResponse(new Failure('notFound'), args)
  const [{ dataType }, group] = await Promise.all([
    load(args, { dataType: v1.place.dataType.findById }),
    loadCatalogueGroup(args, rows, { domain: first.domain.id }),
  ])
  return {
    ...group,
    title: dataType.name,
    crumbs: [{ label: hubTexts(getPageLanguage(ctx)).domains, href: hubPathBuilder(ctx)('/domains') }],
    ...(dataType.notes && { notes: dataType.notes }),
    domains: [],
  }
}

/** The common part of topic and domain pages. */
async function loadCatalogueGroup(
  args: LoaderFunctionArgs,
  rows: readonly CatalogueEntry[],
  of: { topic: string } | { domain: string },
) {
  const ids = new Set(rows.map(({ id }) => id))
  const [sources, list, stories] = await Promise.all([
    listSources(args, rows.slice(0, mostSources)),
    buildSortOrders(args, of, rows.length),
    storySummaries(args, mostStories, ids),
  ])
  return { ...list, sources, stories, count: rows.length, locale: getPageLanguage(args.context.ctx) }
}
