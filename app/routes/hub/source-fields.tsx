import type { LoaderFunctionArgs } from '@remix-run/cloudflare'
import { useLoaderData } from '@remix-run/react'
import { FieldsPage } from '#app/components/hub/fields-page.tsx'
import { withSharing } from '#app/components/hub/sharing.ts'
import { fieldsPage } from '#app/server/hub-facts/fields.server.ts'

export async function loader(args: LoaderFunctionArgs) {
  return fieldsPage(args)
}

export const meta = withSharing<typeof loader>(({ data }) => [{ title: data?.title ?? 'Fields' }])

export default function SourceFields() {
  return <FieldsPage {...useLoaderData<typeof loader>()} />
}
