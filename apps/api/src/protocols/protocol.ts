import type { Distribution } from '@archiefkast/formats/dataset';
import type { GraphReader } from '../edition/graphs.ts';
import type { OpenRecordViews } from '../edition/record-views.ts';
import type { ReadDatasetFacts } from '../http/dataset-facts.ts';
import type { ArchiveRequest, Route, RouteDependencies } from '../http/route.ts';

/** What a protocol answers from: what every route has, and readers of records, graphs and the archive as a dataset. */
export interface ProtocolTools extends RouteDependencies {
  openViews: OpenRecordViews;
  readGraphs: GraphReader;
  readFacts: ReadDatasetFacts;
  /** The parsed JSON that an endpoint answers, within a request for another. @param path after the language, without segments. @throws Problem */
  readEndpoint: ReadEndpoint;
}

export type ReadEndpoint = <Body>(
  request: ArchiveRequest,
  path: string,
  parameters: URLSearchParams,
) => Promise<Body>;

/** A protocol of others in which the archive answers, beside its own API. */
export interface Protocol {
  /** What the description of the archive as a dataset says that it offers. */
  distributions: readonly Distribution[];
  /** The path of its description of the pictures of a record, to which pages and linked data then link. */
  manifestPath?(uuid: string): string;
  /** Its endpoints: those that OpenAPI describes, each at the end of its group, and others. */
  createRoutes(tools: ProtocolTools): { documented?: readonly Route[]; others?: readonly Route[] };
}
