import { dependsOn } from '#functions/platform/cache/depends.ts'
import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { withSharing } from '#app/components/hub/sharing.ts'
import { SourcePage } from '#app/components/hub/source-page.tsx'
import { sourcePage } from '#app/server/hub-facts/main-content.server.ts'
import { describeSource } from '#app/server/hub-facts/things.server.ts'

export async function loader(args: LoaderFunctionArgs) {
  // Only this page shows file sizes, so it is rendered again once the files are prepared.
  dependsOn(args.context.ctx, { rows: { files: [args.params.sourceId ?? ''] } })
  const [page, dataset] = await Promise.all([sourcePage(args), describeSource(args)])
  return { ...page, found: dataset }
}

export const meta = withSharing<typeof loader>(({ data }) => [
  { title: data?.title ?? 'Indicator' },
  ...(data ? [{ name: 'description', content: data.sentence ?? data.notes ?? data.records.count }] : []),
])

export default function DomainSource() {
  return <SourcePage {...useLoaderData<typeof loader>()} />
}
