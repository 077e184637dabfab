import { Crumbs } from '#app/components/shell/page-head.tsx'
import { PageSettings, type PageSettingsProps } from './page-settings.tsx'

/** The head of the page editor: breadcrumb, title and description. */
export function EditorHead({ page, formValues, readUrl }: PageSettingsProps & { readUrl: string }) {
  return (
    <>
      <Crumbs
        crumbs={[
          { label: 'Pages', to: '/pages' },
          { label: page.title, to: readUrl },
        ]}
      />
      <h1 className="sr-only">Modify {page.title}</h1>
      <PageSettings page={page} formValues={formValues?.intent === 'page.save' ? formValues : undefined} />
    </>
  )
}
