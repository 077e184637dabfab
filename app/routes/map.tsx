import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { HubPage } from '#app/routes/modes/hub-page.tsx'
import { MapPage } from '#app/components/hub/map-page.tsx'
import { hubMap } from '#app/server/hub-map.server.ts'

export function loader(args: LoaderFunctionArgs) {
  return hubMap(args)
}

export const meta = ({ data }: { data?: { title: string } }) => [{ title: data?.title ?? 'Map' }]

export default function MapRoute() {
  return (
    <HubPage>
      <MapPage {...useLoaderData<typeof loader>()} />
    </HubPage>
  )
}
