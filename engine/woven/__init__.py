"""Woven: mages on a region map, who cast spells by weaving patterns of threads on a tapestry of overlapping
cards."""
