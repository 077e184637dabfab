import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import type { TopicPageProps, TopicsIndexProps } from './topic-pages.tsx'
import { hubTopics, listSources, ordersOf } from '#app/server/hub-catalogue.server.ts'
import { responseOf } from '#app/server/load.server.ts'
import { languageOf, toHub } from '#app/server/reading.server.ts'
import { storySummaries } from '#app/server/hub-stories.server.ts'
import { Failure } from '#functions/errors.ts'
import { slugPath, topicsPath } from '#functions/shapes/topic.ts'

/** Sources and domains that the page of a topic names itself; the search has all. */
const [mostSources, mostDomains, mostStories] = [100, 12, 6]

/** The topics of the hub. */
export async function topicsIndex(args: LoaderFunctionArgs): Promise<TopicsIndexProps> {
  const to = toHub(args.context.ctx)
  const topics = await hubTopics(args)
  return {
    topics: topics.map(({ name, slug, rows }) => ({ name, href: to(slugPath(slug)), count: rows.length })),
    locale: languageOf(args.context.ctx),
  }
}

/** A topic with its sources by name; throws the boundary's Response where the hub has none that is called so. */
export async function topicPage(args: LoaderFunctionArgs): Promise<TopicPageProps> {
  const { ctx } = args.context
  const topic = (await hubTopics(args)).find(({ slug }) => slug === args.params.topic)
  if (!topic) throw responseOf(new Failure('notFound'), args)
  const { name, rows } = topic
  const ids = new Set(rows.map(({ id }) => id))
  const [sources, list, stories] = await Promise.all([
    listSources(args, rows.slice(0, mostSources)),
    ordersOf(args, { topic: name }, rows.length),
    storySummaries(args, mostStories, ids),
  ])
  const domains = [...new Set(rows.map(({ domain }) => domain.name))]
  return {
    ...{ title: name, topicsHref: toHub(ctx)(topicsPath), count: rows.length, sources, stories, ...list },
    domains: domains.length > mostDomains ? [] : domains,
    locale: languageOf(ctx),
  }
}
