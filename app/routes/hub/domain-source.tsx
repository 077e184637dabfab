import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { SourcePage } from '#app/components/hub/source-page.tsx'
import { hubSource } from '#app/server/hub-source.server.ts'

export function loader(args: LoaderFunctionArgs) {
  return hubSource(args)
}

export const meta = ({ data }: { data?: { title: string; sentence?: string } }) => [
  { title: data?.title ?? 'Indicator' },
  ...(data?.sentence ? [{ name: 'description', content: data.sentence }] : []),
]

export default function DomainSource() {
  return <SourcePage {...useLoaderData<typeof loader>()} />
}
