import { Crumbs } from '#app/components/shell/page-head.tsx'
import { PageSettings, type PageSettingsProps } from './page-settings.tsx'

/** What stands above the parts of a page that is edited: where it is, its title and what it says. */
export function EditorHead({ page, given, readUrl }: PageSettingsProps & { readUrl: string }) {
  return (
    <>
      <Crumbs
        crumbs={[
          { label: 'Pages', to: '/pages' },
          { label: page.title, to: readUrl },
        ]}
      />
      <h1 className="sr-only">Modify {page.title}</h1>
      <PageSettings page={page} given={given?.intent === 'page.save' ? given : undefined} />
    </>
  )
}
