import { endpoint } from '#functions/api/endpoint.ts'
import { builds, rerender } from '#functions/domain/hub/builds/rerender.ts'
import * as domains from '#functions/domain/hostname/domains.ts'
import * as internals from '#functions/domain/internals/internals.ts'
import { refresh } from '#functions/domain/internals/internals-refresh.ts'
import { findAll as hubs } from '#functions/domain/page/publishing/status.ts'
import { AllDomains, DomainOptions } from '#functions/shapes/domain.ts'
import { HubProblems } from '#functions/shapes/hub-status.ts'
import { Acted, Builds, Facts, Origins, Refresh } from '#functions/shapes/internal.ts'

const get = { method: 'get' } as const

/** Endpoints for the operator of the product. */
export const internal = {
  unstick: endpoint({
    allow: 'internal.act',
    stepUp: true,
    returns: Acted,
    summary: 'End runs of importers that show no sign of life',
    run: internals.unstick,
  }),
  refresh: endpoint({
    allow: 'internal.act',
    stepUp: true,
    data: Refresh,
    returns: Acted,
    summary: 'Make kept counts, answers and hubs anew, some at a time',
    run: refresh,
  }),
  rerender: endpoint({
    allow: 'internal.act',
    stepUp: true,
    returns: Acted,
    summary: 'Make hubs again that have pages of another build, and those that failed',
    run: rerender,
  }),
  hose: endpoint({
    allow: 'internal.act',
    stepUp: true,
    returns: Acted,
    summary: 'Let importers start again and flush the queue',
    run: internals.hose,
  }),
  halt: endpoint({
    allow: 'internal.act',
    stepUp: true,
    returns: Acted,
    summary: 'Stop all importers',
    run: internals.halt,
  }),
  builds: endpoint({
    allow: 'internal.read',
    http: get,
    returns: Builds,
    summary: 'How far hubs are with the build that runs',
    run: builds,
  }),
  origins: endpoint({
    allow: 'internal.read',
    http: get,
    returns: Origins,
    summary: 'The origins whose scripts may read answers',
    run: internals.origins,
  }),
  domains: endpoint({
    allow: 'internal.read',
    http: get,
    options: DomainOptions,
    returns: AllDomains,
    summary: 'The hosts of all places, with the state of their certificates',
    run: domains.findAll,
  }),
  hubs: endpoint({
    allow: 'internal.read',
    http: get,
    returns: HubProblems,
    summary: 'The hubs that cannot be brought up to date, and why',
    run: hubs,
  }),
  find: endpoint({ allow: 'internal.read', returns: Facts, run: internals.find }),
}
