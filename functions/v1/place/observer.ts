import { reads, writes } from '../crud.ts'
import { endpoint } from '#functions/api/endpoint.ts'
import * as alerts from '#functions/domain/alert/alerts.ts'
import * as observers from '#functions/domain/observer/observers.ts'
import { analytics, exportData } from '#functions/domain/observer/observers-data.ts'
import * as deliveries from '#functions/domain/observer/deliveries.ts'
import { subscription, unsubscribe } from '#functions/domain/observer/unsubscribe.ts'
import { AlertOptions, AlertRow } from '#functions/shapes/alert.ts'
import { AnswerPage } from '#functions/shapes/answer.ts'
import { AnalyticsOptions, ExportOptions } from '#functions/shapes/datum.ts'
import { DeliveryOptions, DeliveryRow, ResentDeliveries } from '#functions/shapes/delivery.ts'
import { exportMedia } from '#functions/shapes/export-format.ts'
import {
  MadeObserver,
  NewObserver,
  ObserverChanges,
  ObserverOptions,
  ObserverRow,
  StopOptions,
  Subscription,
  Unread,
} from '#functions/shapes/observer.ts'
import { Counted, Deleted, buildListShape } from '#functions/shapes/returns.ts'

const { create, ...writing } = writes(
  { create: 'observer.create', update: 'observer.update', delete: 'observer.delete' },
  { create: NewObserver, update: ObserverChanges },
  observers,
  ObserverRow,
)

/** Observers, which watch the data of a place, and their alerts. */
export const observer = {
  unread: endpoint({
    allow: 'observer.read',
    http: { method: 'get' },
    returns: Unread,
    summary: 'How many alerts one has not read',
    run: alerts.countUnreadAlerts,
  }),
  export: endpoint({
    allow: 'observer.read',
    http: { method: 'get', one: true },
    heavy: true,
    stream: true,
    media: exportMedia,
    options: ExportOptions,
    summary: 'The records that an observer watches as a file',
    run: exportData,
  }),
  analytics: endpoint({
    allow: 'observer.read',
    http: { method: 'get', one: true },
    heavy: true,
    options: AnalyticsOptions,
    returns: AnswerPage,
    summary: 'The answer to a question about what an observer watches',
    run: analytics,
  }),
  subscription: endpoint({
    allow: 'observer.mute',
    http: { method: 'get', one: true },
    options: StopOptions,
    returns: Subscription,
    summary: 'What the link of a letter is about',
    run: subscription,
  }),
  unsubscribe: endpoint({
    allow: 'observer.mute',
    http: { method: 'post', one: true },
    options: StopOptions,
    returns: Subscription,
    summary: 'Stop the letters of an observer, by the link of one',
    run: unsubscribe,
  }),
  ...reads('observer.read', ObserverOptions, observers, ObserverRow),
  ...writing,
  create: { ...create, returns: MadeObserver, shownOnce: true },
  alert: {
    find: endpoint({
      allow: 'observer.read',
      options: AlertOptions,
      returns: buildListShape(AlertRow),
      run: alerts.find,
    }),
    findById: endpoint({ allow: 'observer.read', returns: AlertRow, run: alerts.findById }),
    deleteById: endpoint({ allow: 'alert.delete', returns: Deleted, run: alerts.deleteById }),
  },
  delivery: {
    find: endpoint({
      allow: 'observer.read',
      options: DeliveryOptions,
      returns: buildListShape(DeliveryRow),
      summary: 'The webhooks of an observer',
      run: deliveries.find,
    }),
    resend: endpoint({
      allow: 'observer.update',
      http: { method: 'post' },
      data: ResentDeliveries,
      returns: Counted,
      summary: 'Call webhooks again that were given up',
      run: deliveries.resend,
    }),
  },
}
