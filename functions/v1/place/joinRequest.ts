import { endpoint } from '#functions/api/endpoint.ts'
import * as joinRequests from '#functions/domain/placeRequest/joinRequests.ts'
import {
  JoinAcceptance,
  JoinRequest,
  JoinRequestOptions,
  JoinRequests,
  Reply,
} from '#functions/shapes/placeRequest.ts'

/** Requests of people to be let into a place, as its admins answer them. They are made by `placeRequest.join`. */
export const joinRequest = {
  find: endpoint({
    allow: 'joinRequest.read',
    options: JoinRequestOptions,
    returns: JoinRequests,
    run: joinRequests.find,
  }),
  accept: endpoint({
    allow: 'joinRequest.answer',
    http: { method: 'post', one: true },
    data: JoinAcceptance,
    returns: JoinRequest,
    summary: 'Let who asks into a place, with a role',
    run: joinRequests.accept,
  }),
  refuse: endpoint({
    allow: 'joinRequest.answer',
    http: { method: 'post', one: true },
    data: Reply,
    returns: JoinRequest,
    summary: 'Refuse who asks to be let into a place',
    run: joinRequests.refuse,
  }),
}
