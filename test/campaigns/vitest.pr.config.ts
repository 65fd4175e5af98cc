import { defineCampaigns } from './campaigns.ts';

/** The campaigns that a change breaks most likely. */
export default defineCampaigns('pr', {
  folders: ['copies', 'crawl', 'harvests', 'hostile', 'install', 'kills', 'outages', 'pages', 'switches'],
  engines: ['sqlite'],
});
