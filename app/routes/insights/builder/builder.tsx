import { Redo2, Undo2 } from 'lucide-react'
import { useEffect, useMemo, useState } from 'react'
import { visualizationTypes } from '#functions/shapes/analytics.ts'
import type { Issue } from '#functions/shapes/issue.ts'
import { AboutFields, aboutNames } from '#app/components/form/about-fields.tsx'
import { TagsField } from '#app/components/form/tags-field.tsx'
import { FormBody, useSentForm } from '#app/components/form/edit-form.tsx'
import { LeaveDialog } from '#app/components/form/leave-dialog.tsx'
import { ChartClause } from './chart-clause.tsx'
import { Clause } from '#app/components/builder/clause.tsx'
import { GroupClause, SummaryClause } from './column-clauses.tsx'
import { DataClause, type BuilderDataType } from '#app/components/builder/data-clause.tsx'
import { applyFormValues, type Draft } from '#app/components/builder/draft.ts'
import { FilterEditor } from '#app/components/builder/filter-editor.tsx'
import { JoinClause } from './join-clause.tsx'
import { joinLabel, type JoinTarget } from '#app/components/builder/join-target.ts'
import { LanguageContext, messagesAt, type Language } from '#app/components/builder/language.ts'
import { MoreClause } from './more-clause.tsx'
import { OrderClause } from './order-clause.tsx'
import { PreviewPane, type Preview } from '#app/components/builder/preview.tsx'
import { QueryJson } from './query-json.tsx'
import {
  changeClauses,
  parseClauses,
  serializeClauses,
  type Clauses,
} from '#app/components/builder/query-model.ts'
import { useBuilder } from './use-builder.ts'
import { listQueryFields, fieldAsker, useJoined } from './use-joined.ts'
import { WithinClause } from './within-clause.tsx'
import { suggester } from '#app/components/builder/suggest.ts'
import { DraftForm } from '#app/components/form/draft-form.tsx'
import { DraftField } from '#app/components/form/draft-field.tsx'

/** Name and visibility of a saved insight. */
export interface SavedInsight {
  /** Absent for a new one. */
  id?: string
  name: string
  notes: string
  visibility: string
  tags?: string[]
  /** The edited version; absent for a new one. */
  version?: number
}

export interface BuilderProps {
  start: Draft
  /** The submitted values of a form without scripts. */
  formValues: Record<string, string>
  preview: Preview | null
  dataTypes: BuilderDataType[]
  language: Pick<Language, 'fields' | 'functions' | 'operators'>
  placeId: string
  origin: string
  /** Name and visibility of the insight. */
  saved: SavedInsight
  /** Whether its data type can still be changed. */
  isNew: boolean
  cancelUrl: string
}

/** The query builder: clauses on one side, the result on the other, and the query as JSON. */
export function Builder({ preview: first, language, placeId, origin, ...rest }: BuilderProps) {
  const [start] = useState(() => applyFormValues(rest.start, rest.formValues))
  const { draft, change, undo, redo, isChanged, preview, last, isAsking } = useBuilder(start, first)
  const [isSending, setSending] = useState(false)
  const [isRenamed, setRenamed] = useState(false)
  const [isUnsaved, setUnsaved] = useState(false)
  const { errors } = useSentForm('save')
  useEffect(() => setSending(false), [errors])
  const question = useQuestion({ draft, preview, language, placeId, dataTypes: rest.dataTypes })
  const { clauses } = question
  const changeQuery = (next: Clauses, tag?: string) => change({ query: serializeClauses(next) }, tag)
  const answer = preview?.ok ? preview : last
  const answerChart = answer ? { visualization: answer.live.visualization, output: answer.live.output } : null
  const visualization = draft.visualization ?? answerChart?.visualization ?? { type: 'table' as const }
  return (
    <LanguageContext.Provider value={question.language}>
      <DraftForm
        thing={`insight/${rest.saved.id ?? 'new'}`}
        title={rest.saved.name || 'A new insight'}
        version={rest.saved.version ?? null}
        className="builder"
        asks={false}
        onUnsaved={setUnsaved}
        onSubmit={() => setSending(true)}
        onInput={(event) => {
          if (event.target instanceof Element && event.target.closest('[data-save]')) setRenamed(true)
        }}
        onKeyDown={(event) => {
          // Enter in a clause must not submit, as the preview is automatic.
          const isClause = event.target instanceof HTMLInputElement && !event.target.closest('[data-save]')
          if (event.key === 'Enter' && isClause) event.preventDefault()
        }}
      >
        <div className="builder-side needs-scripts">
          <Steps undo={undo} redo={redo} />
          <DataClause {...{ draft, change }} dataTypes={rest.dataTypes} isNew={rest.isNew} />
          <JoinClause
            clauses={clauses}
            joined={question.joined}
            loadFields={question.loadFields}
            dataTypes={rest.dataTypes}
            own={language.fields}
            onChange={changeQuery}
          />
          <FilterClause clauses={clauses} issues={question.issues} onChange={changeQuery} />
          <WithinClause placeId={placeId} clauses={clauses} onChange={changeQuery} />
          <SummaryClause clauses={clauses} onChange={changeQuery} />
          <GroupClause clauses={clauses} onChange={changeQuery} />
          <OrderClause clauses={clauses} onChange={changeQuery} />
          <ChartClause
            placeId={placeId}
            visualization={draft.visualization}
            currentVisualization={answerChart?.visualization ?? null}
            output={answerChart?.output ?? null}
            messages={answer?.why && draft.visualization ? [answer.why] : []}
            onChange={(next, tag) => change({ visualization: next }, tag)}
          />
          <MoreClause clauses={clauses} onChange={changeQuery} />
        </div>
        <div className="builder-main">
          <PreviewPane {...{ preview, last, isAsking }} />
          <QueryJson {...{ draft, placeId, origin }} onChange={(query, tag) => change({ query }, tag)} />
          <SaveCard
            {...rest}
            draft={draft}
            visualization={visualization}
            onRestore={(draftVisualization) => change({ visualization: draftVisualization })}
          />
        </div>
      </DraftForm>
      <LeaveDialog isUnsaved={(isChanged || isRenamed || isUnsaved) && !isSending} isKept />
    </LanguageContext.Provider>
  )
}

type QuestionProps = Pick<BuilderProps, 'language' | 'placeId' | 'dataTypes'> & {
  draft: Draft
  preview: Preview | null
}

/** The query of a draft as clauses, and the context of their editors: available fields, and issues. */
function useQuestion({ draft, preview, language, placeId, dataTypes }: QuestionProps) {
  const clauses = useMemo(() => parseClauses(draft.query), [draft.query])
  const joins = useMemo(() => (Array.isArray(clauses.joins) ? (clauses.joins as unknown[]) : []), [clauses])
  const loadFields = useMemo(() => fieldAsker(placeId), [placeId])
  const joined = useJoined(joins, loadFields)
  const issues = useMemo(() => (preview?.ok === false ? preview.issues : []), [preview])
  const { dataTypeId, sourceId } = draft
  const suggest = useMemo(
    () => suggester({ placeId, dataTypeId, sourceId }, joins),
    [placeId, dataTypeId, sourceId, joins],
  )
  const fullLanguage = useMemo(() => {
    const getTargetLabel = (target: JoinTarget) => joinLabel(target, dataTypes)
    return {
      ...language,
      fields: listQueryFields(language.fields, joins, joined, getTargetLabel),
      issues,
      suggest,
    }
  }, [language, joins, joined, dataTypes, issues, suggest])
  return { clauses, joined, loadFields, issues, language: fullLanguage }
}

type BuilderSteps = Pick<ReturnType<typeof useBuilder>, 'undo' | 'redo'>

function Steps({ undo, redo }: BuilderSteps) {
  return (
    <div className="builder-tools" role="toolbar" aria-label="Steps">
      <button type="button" className="button is-small is-quiet" disabled={!undo} onClick={undo ?? undefined}>
        <Undo2 size={16} aria-hidden="true" /> Undo
      </button>
      <button type="button" className="button is-small is-quiet" disabled={!redo} onClick={redo ?? undefined}>
        <Redo2 size={16} aria-hidden="true" /> Redo
      </button>
    </div>
  )
}

interface FilterClauseProps {
  clauses: Clauses
  issues: Issue[]
  onChange(clauses: Clauses, tag?: string): void
}

function FilterClause({ clauses, issues, onChange }: FilterClauseProps) {
  return (
    <Clause title="Filter">
      <FilterEditor
        filters={clauses.filters}
        messages={messagesAt(issues, 'filters')}
        onChange={(filters) =>
          onChange(
            filters
              ? { ...clauses, filters }
              : changeClauses(
                  { ...clauses, notices: clauses.notices.filter((key) => key !== 'filters') },
                  { filters },
                ),
            'filters',
          )
        }
      />
    </Clause>
  )
}

type Visualization = NonNullable<Draft['visualization']>

interface SaveCardProps extends Pick<BuilderProps, 'saved' | 'cancelUrl'> {
  draft: Draft
  visualization: Visualization
  onRestore(visualization: Draft['visualization']): void
}

/** Name, visibility and the save buttons; without scripts also the visualization. */
function SaveCard({ saved, cancelUrl, draft, visualization, onRestore }: SaveCardProps) {
  return (
    <div data-save="" className="card">
      <div className="card-body form">
        <FormBody
          version={saved.version}
          names={[...aboutNames, 'tags']}
          saved={saved}
          save={{ intent: 'save', label: 'Save', doing: 'Saving…' }}
          cancel={{ to: cancelUrl }}
        >
          <AboutFields hint="What a reader should know of the figures." rows={3} />
          <TagsField />
          <input type="hidden" name="dataTypeId" value={draft.dataTypeId} />
          <input type="hidden" name="sourceId" value={draft.sourceId ?? ''} />
          <DraftField
            name="visualization"
            value={JSON.stringify(visualization)}
            onRestore={(draftText) => onRestore(JSON.parse(draftText) as Draft['visualization'])}
          />
          <noscript>
            <label className="field">
              <span className="field-label">Drawn as</span>
              <select name="type" defaultValue={visualization.type}>
                {visualizationTypes.map((type) => (
                  <option key={type}>{type}</option>
                ))}
              </select>
            </label>
            <button className="button" name="intent" value="preview">
              Show the answer
            </button>
          </noscript>
        </FormBody>
      </div>
    </div>
  )
}
