-- `{interval, ladder}` of the offer when the preview was made. Null in the previews that exist.
alter table plan_previews add column plan jsonb;
