import { Link } from '@remix-run/react'

/** What a place has so far, which determines the next step. */
export interface FirstStepsProps {
  hasData: boolean
  hasChart: boolean
  isHub: boolean
}

/** The first steps of a new organization: the organization, data, a chart, the hub. Nothing once all are done. */
export function FirstSteps({ hasData, hasChart, isHub }: FirstStepsProps) {
  const steps = [
    { isDone: true, name: 'Make your organization', to: '/org/manage', action: '' },
    { isDone: hasData, name: 'Add your first data', to: '/sources/create', action: 'Add data' },
    { isDone: hasChart, name: 'Make a chart of them', to: '/insights/create', action: 'Make a chart' },
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
            <div className="list-main list-title">{step.name}</div>
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
