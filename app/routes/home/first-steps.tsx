import { Link } from '@remix-run/react'

/** What a place has so far, which determines the next step. */
export interface FirstStepsProps {
  hasData: boolean
  hasChart: boolean
  /** Any page, published or not. */
  hasPage: boolean
  /** A page or a source that readers see. */
  hasPublished: boolean
  isHub: boolean
}

/** The first steps of a new organization: the organization, data, a chart, what readers see, the hub. Nothing once all are done. */
export function FirstSteps({ hasData, hasChart, hasPage, hasPublished, isHub }: FirstStepsProps) {
  const steps: { isDone: boolean; name: string; to: string; action: string; note?: string }[] = [
    { isDone: true, name: 'Make your organization', to: '/org/manage', action: '' },
    { isDone: hasData, name: 'Add your first data', to: '/sources/create', action: 'Add data' },
    { isDone: hasChart, name: 'Make a chart of them', to: '/insights/create', action: 'Make a chart' },
    {
      isDone: hasPublished,
      name: 'Publish something',
      to: hasPage ? '/pages' : '/pages/create',
      action: hasPage ? 'Publish a page' : 'Write a page',
      note: 'A page with your chart, or the data themselves.',
    },
    { isDone: isHub, name: 'Open your public hub', to: '/org/manage/hub', action: 'Set up the hub' },
  ]
  const next = steps.find(({ isDone }) => !isDone)
  if (!next) return null
  return (
    <section className="recent stack" aria-labelledby="first-steps">
      <h2 className="section-title" id="first-steps">
        From data to a hub
      </h2>
      <ol className="list">
        {steps.map((step) => (
          <li key={step.to} className="list-item" aria-current={step === next ? 'step' : undefined}>
            <div className="list-main">
              <p className="list-title">{step.name}</p>
              {step === next && step.note ? <p className="list-note">{step.note}</p> : null}
            </div>
            <div className="list-meta">
              {step.isDone ? <span className="badge is-success">Done</span> : null}
              {step === next ? (
                <Link className="button is-primary is-small" to={step.to}>
                  {step.action}
                </Link>
              ) : null}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
